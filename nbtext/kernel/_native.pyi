# The compiled kernel has the types of the plain one.
from .cells import are_tokens as are_tokens
from .cells import count_entries as count_entries
from .cells import find_cells as find_cells
from .cells import find_lines as find_lines
from .cells import read_rows as read_rows
from .cells import row_lines as row_lines
from .cells import score as score
from .cells import sorted_rows as sorted_rows
from .cells import spelled as spelled
from .cells import subtract_entries as subtract_entries
from .cells import sum_cells as sum_cells
from .plain import Indexer as Indexer
from .strata import add_strata as add_strata
from .strata import add_weighted as add_weighted
from .strata import packed as packed
