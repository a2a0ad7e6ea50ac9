"""Names, tokens and numbers for output: no text can control a terminal, start a line or end a field."""

from collections.abc import Iterable, Sequence


def escaped(text: str) -> str:
    r"""The text with everything that is not printable, and the backslash, written as an escape.

    >>> print(escaped("a\tb\\c\x1b[31m"), escaped("plain café"), escaped("\udcff"))
    a\tb\\c\x1b[31m plain café \xff
    """
    if text.isprintable() and "\\" not in text:
        return text
    return "".join(_ESCAPES.get(char) or (char if char.isprintable() else _code(char)) for char in text)


_ESCAPES = {"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"}


def _code(char: str) -> str:
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


# Printed instead of a label in text output if there is no answer; no class may have such a name
OUTCOME_NAMES = {"unsure": "(unsure)", "unknown": "(unknown)", "empty": "(empty)"}


def number(value: float) -> str:
    """The number with at most six digits, so that another C library prints the same.

    >>> number(0.80000000001), number(1/3), number(2.5e-9)
    ('0.8', '0.333333', '2.5e-09')
    """
    return f"{value:.6g}"


def html_table(head: Sequence[str], rows: Iterable[Sequence[str]], caption: str) -> str:
    """A table in HTML.

    >>> html_table(["class"], [["<ham>"]], "Classes")
    '<table><caption>Classes</caption><tr><th>class</th></tr><tr><td>&lt;ham&gt;</td></tr></table>'
    """
    from html import escape  # imported here, as most starts do not need it

    lines = [("th", head), *(("td", row) for row in rows)]
    body = "".join(
        f"<tr>{''.join(f'<{kind}>{escape(escaped(cell))}</{kind}>' for cell in cells)}</tr>" for kind, cells in lines
    )
    return f"<table><caption>{escape(escaped(caption))}</caption>{body}</table>"
