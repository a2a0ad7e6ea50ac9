"""Whole models: opening, describing, exporting, merging, verifying."""
