"""Documents as exact integer counts."""
