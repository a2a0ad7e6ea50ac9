"""Messages about tables whose columns have unknown names: a list of them, and options that are likely to work."""

import reprlib
from collections.abc import Sequence

from ._names import LABELS, LIKELY_LABELS

LONGEST_NAME = 40  # characters shown
EXAMPLES = 20  # columns listed, and rows looked at to guess the use of columns
WORDS_OF_A_SENTENCE = 3
SEPARATORS = {",": "','", ";": "';'", "\t": "tab", "|": "'|'"}  # as --delimiter takes them

Rows = Sequence[Sequence[str]]


def advice(columns: Sequence[str], rows: Rows, *, labelled: bool = True, header: bool = True) -> str:
    """The columns of a table, and the options that are likely to work.

    rows    some of the rows that follow
    header  whether the names come from a first row; else they are numbers

    >>> advice(["queue", "problem"], [["billing", "charged twice"]])
    'the columns are queue, problem; name them, as in --text problem --label queue'
    >>> advice(["billing", "charged twice"], [["billing", "wrong sum"]])
    'the first row looks like a record, not a header; name columns by number, as in --no-header --text 2 --label 1'
    """
    options = likely_options(columns, rows, labelled=labelled, header=header)
    if header and options[0] == "--no-header":
        return f"the first row looks like a record, not a header; name columns by number, as in {' '.join(options)}"
    listed = ", ".join(map(shown, columns[:EXAMPLES])) + (", ..." if len(columns) > EXAMPLES else "")
    return f"the columns are {listed}; name them, as in {' '.join(options)}"


def likely_options(
    columns: Sequence[str], rows: Rows, *, labelled: bool = True, header: bool = True, text: str = "", label: str = ""
) -> list[str]:
    """The options that are likely to work.

    text, label  columns that are known
    """
    options = []
    if header and not text and is_record(columns, rows):
        rows, columns, header = [columns, *rows], [str(place) for place in range(1, len(columns) + 1)], False
    if not header:
        options.append("--no-header")
    guessed_text, guessed_label = guessed(columns, rows)
    options += ["--text", shown(text or guessed_text)]
    return [*options, "--label", shown(label or guessed_label)] if labelled else options


def guessed(columns: Sequence[str], rows: Rows) -> tuple[str, str]:
    """The columns that look most like a text and a label: the longest values, and a likely name or the fewest values.

    >>> guessed(["body", "vip", "team"], [["charged twice", "no", "a"], ["parcel lost", "no", "b"], ["hi", "yes", "c"]])
    ('body', 'team')
    """
    full = _full(columns, rows)
    values = {name: [row[i] for row in full] for i, name in enumerate(columns) if name}
    lengths = {name: sum(map(len, column)) for name, column in values.items()}
    texts = [name for name in lengths if name not in LABELS] or lengths
    text = max(texts, key=lambda name: lengths[name], default=columns[-1])
    kinds = {name: len({*column}) for name, column in values.items() if name != text}
    several = {name: n for name, n in kinds.items() if n > 1} or kinds
    known = [name for name in (*LABELS, *LIKELY_LABELS) if name in kinds]
    return text, known[0] if known else min(several, key=lambda name: several[name], default=columns[0])


def is_record(columns: Sequence[str], rows: Rows) -> bool:
    """Whether a first row is not a header: it has a sentence, a number, or a value that comes again in its column.

    >>> is_record(["id", "text"], [["7", "lunch at noon"]]), is_record(["7", "lunch at noon"], [])
    (False, True)
    """
    if any(name.count(" ") >= WORDS_OF_A_SENTENCE or _is_number(name) for name in columns):
        return True
    below = [{value.strip().lower() for value in column} for column in zip(*_full(columns, rows), strict=True)]
    return any(name and name.strip().lower() in values for name, values in zip(columns, below, strict=False))


def _full(columns: Sequence[str], rows: Rows) -> Rows:
    return [row for row in rows if len(row) == len(columns)]


def _is_number(name: str) -> bool:
    return name.replace(".", "", 1).removeprefix("-").isdecimal()


def single_column(column: str, line: str, delimiter: str) -> str:
    """The message about a table that has only one column with the separator used.

    line       its first line, as in the file
    delimiter  the separator used

    >>> single_column("a;b", "a;b", ",")
    "there is one column, 'a;b', if ',' separates columns; --delimiter ';' would make 2: a, b"
    """
    used = SEPARATORS.get(delimiter, repr(delimiter))
    counts = {other: line.count(other) for other in SEPARATORS if other != delimiter and other in line}
    if not counts:
        return (
            f"the first row, {reprlib.repr(column)}, should name the columns, as in label,text; "
            "a table without such a row needs --no-header, and plain text --reader text"
        )
    better = max(counts, key=lambda other: counts[other])
    cells = ", ".join(shown(cell.strip()) for cell in line.split(better)[:EXAMPLES])
    return (
        f"there is one column, {reprlib.repr(column)}, if {used} separates columns; "
        f"--delimiter {SEPARATORS[better]} would make {counts[better] + 1}: {cells}"
    )


def shown(name: str) -> str:
    """A column's name, quoted for the shell, and cut if it is long."""
    name = name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}..."
    return name if name.replace("_", "").replace("-", "").replace(".", "").isalnum() else f"'{name}'"
