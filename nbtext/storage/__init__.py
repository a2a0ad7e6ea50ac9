"""The model file: schema, checksummed rows, opening and replacing. It knows nothing of probabilities."""
