"""Vowpal Wabbit: run_vowpal_wabbit.py MODEL FILE prints the number of the file's class."""

import sys

from convert import cleaned  # type: ignore[import-not-found]
from vowpalwabbit import Workspace  # type: ignore[import-not-found]

if __name__ == "__main__":
    model, path = sys.argv[1:]
    print(Workspace(arg_list=["-t", "-i", model, "--quiet"]).predict("| " + cleaned(path).decode()))
