# The compiled module has the types of the plain one.
from .strata import add_strata as add_strata
from .strata import add_weighted as add_weighted
from .strata import packed as packed
