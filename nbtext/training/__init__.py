"""Models made from documents, and changed by them."""
