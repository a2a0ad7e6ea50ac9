"""The kernel: from texts to document-term counts, and from counts to scores, for many documents at once.

Compiled (`_native`, without the interpreter lock, so that threads share the work) if a C compiler was found at
installation, else in plain Python (`plain`). Both give the same numbers; NBTEXT_KERNEL=plain chooses the plain one.
The kernel does not define tokens: `characters` asks the tokenizers.
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
    from ._native import (
        Indexer,
        add_strata,
        add_weighted,
        are_tokens,
        count_entries,
        find_cells,
        find_lines,
        packed,
        read_rows,
        row_lines,
        score,
        sorted_rows,
        spelled,
        subtract_entries,
        sum_cells,
    )

    NATIVE = True  # whether the compiled kernel is in use
except ImportError:
    from .cells import (
        are_tokens,
        count_entries,
        find_cells,
        find_lines,
        read_rows,
        row_lines,
        score,
        sorted_rows,
        spelled,
        subtract_entries,
        sum_cells,
    )
    from .plain import Indexer
    from .strata import add_strata, add_weighted, packed

    NATIVE = False
