"""A model at work: on one document, on many, on mail in transit."""
