"""nbtext: naive Bayes text classification for the command line and for Python."""

__version__ = "0.1.0"
