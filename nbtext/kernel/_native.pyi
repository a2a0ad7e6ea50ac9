# The compiled kernel has the types of the plain one.
from .plain import Indexer as Indexer
from .plain import find_cells as find_cells
from .plain import row_lines as row_lines
from .plain import score as score
from .plain import spelled as spelled
from .plain import subtract_entries as subtract_entries
from .plain import sum_cells as sum_cells
from .strata import add_strata as add_strata
from .strata import add_weighted as add_weighted
from .strata import packed as packed
