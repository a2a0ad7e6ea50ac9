"""Making models from documents, and changing them."""
