"""A hook of mkdocs: a line `::: NAME` in docs/python.md becomes the signature and the docstring of that public name.

The source is read, not run, so that the site can be built without installing nbtext. Docstrings keep their columns.
"""

import ast
from pathlib import Path
from typing import Any, TypeGuard

ROOT = Path(__file__).resolve().parent.parent
MARK = "::: "


def on_page_markdown(markdown: str, **_: Any) -> str:
    """The text of a page, with the names described."""
    lines = markdown.split("\n")
    return "\n".join(described(line.removeprefix(MARK)) if line.startswith(MARK) else line for line in lines)


def described(name: str) -> str:
    """The heading, signature and docstring of a public name, and of the public methods of a class."""
    node = definition(name)
    sections = [_section("###", name, node)]
    if isinstance(node, ast.ClassDef):
        methods = [each for each in node.body if isinstance(each, ast.FunctionDef) and not each.name.startswith("_")]
        sections += [_section("####", f"{name}.{each.name}", each) for each in methods]
    return "\n\n".join(sections)


def definition(name: str) -> ast.FunctionDef | ast.ClassDef:
    """The definition of a public name in the source.

    Raises: StopIteration if there is none.
    """
    nodes = ast.parse((ROOT / "nbtext/__init__.py").read_text(encoding="utf-8")).body
    homes = next(ast.literal_eval(each.value) for each in nodes if _is_homes(each))
    place = ROOT / "nbtext" / homes[name].replace(".", "/")
    file = place.with_suffix(".py") if place.with_suffix(".py").exists() else place / "__init__.py"
    found = ast.parse(file.read_text(encoding="utf-8")).body
    kinds = ast.FunctionDef, ast.ClassDef
    return next(each for each in found if isinstance(each, kinds) and each.name == name)


def _is_homes(node: ast.stmt) -> TypeGuard[ast.Assign]:
    return isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_HOMES"


def _section(level: str, name: str, node: ast.FunctionDef | ast.ClassDef) -> str:
    text = ast.get_docstring(node) or ""
    signature = f"{name}({ast.unparse(node.args)})" if isinstance(node, ast.FunctionDef) else f"class {name}"
    return f"{level} {name}\n\n```python\n{signature}\n```\n\n```text\n{text}\n```"
