"""Documents as exact integer counts."""

SAMPLE = 500  # documents that a model keeps whole, to calibrate on: those with the lowest digests
