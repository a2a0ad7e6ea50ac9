"""Files on disk as documents: walking, archives, compression, checking."""
