"""The options that name columns, and messages about the columns chosen."""

from collections.abc import Sequence
from typing import Any

import click

from ..analysis import Analysis
from ..escaping import escaped
from ..fields import USUAL, Fields
from ._declare import option
from ._output import complain

NAMED_TABS = {"tab": "\t", "\\t": "\t"}
AUTO = "auto"


def _separator(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    """The separator.

    Raises: BadParameter if it is not one character.
    """
    value = NAMED_TABS.get(value, value) if value is not None else None
    if value is not None and (len(value) != 1 or value in '"\r\n'):
        raise click.BadParameter("the separator of columns must be one character, or tab")
    return value


text_options = (
    option(
        "--text",
        "text_columns",
        multiple=True,
        metavar="COLUMN",
        help="The column or field of the text; several are counted separately [default: text, body, message, ...].",
    ),
    option("--id", "id_column", metavar="COLUMN", help="The column of the identifier, printed with answers."),
    option("--no-header", is_flag=True, help="The first row is a record; columns are named 1, 2, 3, ..."),
    option(
        "--delimiter",
        metavar="C",
        callback=_separator,
        help="Separator of columns, such as ';' or tab [default: found from the header].",
    ),
)
label_options = (
    option(
        "--label",
        "label_column",
        metavar="COLUMN",
        help="The column of the label [default: label, class, category, ...].",
    ),
    option("--category", "categories", multiple=True, metavar="COLUMN", help="A column whose values are categories."),
    option("--number", "numbers", multiple=True, metavar="COLUMN", help="A column whose values are numbers."),
    option(
        "--fields",
        "auto_fields",
        type=click.Choice([AUTO]),
        help="auto: use all other columns that look like categories or numbers.",
    ),
    option("--keep-empty", is_flag=True, help="Count documents without tokens too, for the class priors."),
)


def fields_of(settings: dict[str, Any], default: Fields = USUAL) -> Fields:
    """Which columns are named, the others as by default."""
    given: dict[str, Any] = {
        "text": tuple(settings.get("text_columns") or ()),
        "label": settings.get("label_column") or "",
        "id": settings.get("id_column") or "",
        "category": tuple(settings.get("categories") or ()),
        "number": tuple(settings.get("numbers") or ()),
        "delimiter": settings.get("delimiter") or "",
    }
    chosen = default._replace(**{name: value for name, value in given.items() if value})
    _refuse_one_for_two(chosen if given["label"] else chosen._replace(label=""))
    header = default.header and not settings.get("no_header")
    return chosen._replace(header=header, keep_empty=default.keep_empty or bool(settings.get("keep_empty")))


def _refuse_one_for_two(fields: Fields) -> None:
    """Refuse a column that is named for two things.

    Raises: UsageError
    """
    options = {
        "--text": fields.text,
        "--label": (fields.label,),
        "--id": (fields.id,),
        "--category": fields.category,
        "--number": fields.number,
    }
    first: dict[str, str] = {}  # column -> the option that names it
    for name, columns in options.items():
        for column in filter(None, columns):
            if other := first.get(column.strip().lower()):
                both = f"{other} and {name} both name" if other != name else f"{name} names twice"
                raise click.UsageError(f"{both} the column {escaped(column)}; a column can have only one use")
            first[column.strip().lower()] = name


def settle(settings: dict[str, Any], corpora: Sequence[str]) -> None:
    """Complete the settings: the reader by the suffixes of the files, and the fields by the options that name columns.

    Raises: UsageError if --fields auto has no table to look at.
    """
    from ..corpus.columns import seen_table, with_attributes
    from ..corpus.reading import reader_by_suffix

    if settings.get("reader") is None and corpora:
        readers = {reader_by_suffix(each) for each in corpora}
        if len(readers) == 1:
            settings["reader"] = readers.pop()
    fields = fields_of(settings)
    if settings.get("auto_fields"):
        reader = settings.get("reader") or "text"
        table = seen_table(corpora, Analysis(reader=reader, fields=_readable(fields).spec()))
        if table is None:
            raise click.UsageError("--fields auto: no record of a table can be read")
        fields = with_attributes(table, fields)
    settings["fields"] = fields.spec() or None


def _readable(fields: Fields) -> Fields:
    """Fields with which any table can be read, to look at its columns: by default the first column is the text."""
    return fields._replace(label="", id="", text=fields.text or ("1",), category=(), number=())


def lines(corpora: Sequence[str], analysis: Analysis) -> list[str]:
    """How the columns are used, in one line; nothing if the corpora are not tables."""
    if not analysis.has_columns:
        return []
    from ..corpus.columns import seen_table
    from ..readers._fields import taken_if_known

    table = seen_table(corpora, analysis)
    chosen = taken_if_known(analysis.columns, table.columns) if table else None
    if not (table and chosen):
        return []
    groups = {
        "text": [column for _, column in chosen.texts],
        "label": [chosen.label] if chosen.label else [],
        "id": [chosen.id] if chosen.id else [],
        "categories": chosen.categories,
        "numbers": chosen.numbers,
    }
    said = [f"{name}={','.join(map(escaped, columns))}" for name, columns in groups.items() if columns]
    note = "" if table.header or analysis.columns.names_columns else " (label TAB text, no header)"
    return [f"columns: {' '.join(said)}{note}"]


def suggest(command: str, corpora: Sequence[str], analysis: Analysis) -> None:
    """Print a command that is likely to work, if a table has records but its label column is not known."""
    if not analysis.has_columns:
        return
    from ..corpus.columns import seen_table
    from ..readers._advice import EXAMPLES, likely_options
    from ..readers._fields import taken_if_known

    fields = analysis.columns
    table = seen_table(corpora, analysis._replace(fields=_readable(fields).spec()))
    if table is None or len(table.columns) < 2:
        return
    chosen = taken_if_known(fields, table.columns)
    if chosen and chosen.label is not None:
        return
    label = fields.label if fields.label in table.columns else ""
    known = taken_if_known(fields._replace(label=""), table.columns)
    text = known.texts[-1][1] if known and known.texts else ""
    options = likely_options(table.columns, table.rows, header=fields.header, text=text, label=label)
    words = [*map(_for_shell, corpora), "--reader", analysis.reader, *options]
    listed = ", ".join(map(escaped, table.columns[:EXAMPLES])) + (", ..." if len(table.columns) > EXAMPLES else "")
    columns = "" if "--no-header" in options else f"the columns are {listed}; "
    complain(f"{columns}try: nbtext {command} {' '.join(words)}")


def _for_shell(word: str) -> str:
    from shlex import quote

    return quote(escaped(word))
