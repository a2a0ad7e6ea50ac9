"""A whole model: opened, described, exported, merged, verified."""
