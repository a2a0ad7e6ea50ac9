"""Fuzzers of messages: each draws messages until one shows a flaw, and prints that whole, so that it can be a test."""

import argparse
import random
import time
from collections.abc import Callable, Sequence


def fuzz(
    description: str | None,
    draw: Callable[[random.Random], bytes],
    flaws: Callable[[bytes, random.Random], Sequence[str]],
) -> int:
    """Fuzz for the `--seconds` of the command line, and return its status: 0 without a flaw, 1 with one.

    flaws  what is wrong with how a message is treated, a sentence each
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    chance, started, count = random.Random(options.seed), time.monotonic(), 0
    while time.monotonic() - started < options.seconds:
        written = draw(chance)
        if found := flaws(written, chance):
            print(f"seed {options.seed}, message {count}: {'; '.join(found)}\n{written!r}")
            return 1
        count += 1
    print(f"seed {options.seed}: {count:,} messages, no flaw")
    return 0
