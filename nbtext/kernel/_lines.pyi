# The compiled module has the types of the plain one.
from .lines import are_tokens as are_tokens
from .lines import find_lines as find_lines
from .lines import read_rows as read_rows
from .lines import row_lines as row_lines
from .lines import spelled as spelled
