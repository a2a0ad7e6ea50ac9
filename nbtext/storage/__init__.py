"""The model file: schema, checksummed rows, opening and replacing. No probability here."""
