"""The kernel: from texts to document-term counts, and from counts to scores, for many documents at once.

Each part has two forms that give the same numbers: one in Cython, such as `_cells.pyx`, and its twin in plain Python,
`cells.py`. The compiled forms work without the interpreter lock, so that threads share the work. They are all used if a
C compiler was found at installation, else none of them. NBTEXT_KERNEL=plain chooses the twins. The kernel does not
define tokens: `characters` asks the tokenizers.
"""

import os

from .batch import Batch

__all__ = [
    "NATIVE",
    "Batch",
    "Indexer",
    "add_strata",
    "add_weighted",
    "are_tokens",
    "count_entries",
    "find_cells",
    "find_lines",
    "packed",
    "read_rows",
    "row_lines",
    "score",
    "sorted_rows",
    "spelled",
    "subtract_entries",
    "sum_cells",
]

try:
    if os.environ.get("NBTEXT_KERNEL") == "plain":
        raise ImportError
    from ._cells import count_entries, find_cells, score, sorted_rows, subtract_entries, sum_cells
    from ._indexer import Indexer
    from ._lines import are_tokens, find_lines, read_rows, row_lines, spelled
    from ._strata import add_strata, add_weighted, packed

    NATIVE = True  # whether the compiled kernel is in use
except ImportError:
    from .cells import count_entries, find_cells, score, sorted_rows, subtract_entries, sum_cells
    from .indexer import Indexer
    from .lines import are_tokens, find_lines, read_rows, row_lines, spelled
    from .strata import add_strata, add_weighted, packed

    NATIVE = False
