# The compiled module has the types of the plain one.
from .indexer import Indexer as Indexer
