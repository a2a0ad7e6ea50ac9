# The compiled module has the types of the plain one.
from .cells import count_entries as count_entries
from .cells import find_cells as find_cells
from .cells import score as score
from .cells import sorted_rows as sorted_rows
from .cells import subtract_entries as subtract_entries
from .cells import sum_cells as sum_cells
