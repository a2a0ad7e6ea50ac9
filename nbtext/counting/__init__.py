"""Documents as exact integer counts."""

SAMPLE = 500  # documents that a model keeps whole, for calibration: those with the lowest digests
