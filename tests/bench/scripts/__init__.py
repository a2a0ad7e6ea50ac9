"""Programs of a few lines for rivals without a command line, run with a rival's own Python; none imports nbtext."""
