"""Programs of a few lines that rivals without a command line need, run with a rival's own Python: nothing of nbtext is imported."""
