"""Engines: one a file, other machines than this one to share work out to. Starting them is not our business.

A new one is one new file that defines `team`; its name is the value of `--engine`. Work and results are pickled;
workers must have nbtext installed and see the corpus and the model's folder under the same paths.
"""

from contextlib import AbstractContextManager
from typing import Protocol

from ._sharing import Team


class Engine(Protocol):
    """What a module of this package is."""

    @staticmethod
    def team(scheduler: str | None) -> AbstractContextManager[Team]:
        """The workers that can be reached.

        scheduler  the address of whoever knows them, or None for where that is configured

        Raises: ChoiceError if nobody answers there.
        """
