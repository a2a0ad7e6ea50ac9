"""Engines: one file each; they give work to other machines. Starting the workers there is left to the user.

A new one is one new file that defines `team`; its name is the value of `--engine`. Work and results are pickled;
workers must have nbtext installed and see the corpus and the model's folder under the same paths.
"""

from contextlib import AbstractContextManager
from typing import Protocol

from ._sharing import Team


class Engine(Protocol):
    """A module of this package."""

    @staticmethod
    def team(scheduler: str | None) -> AbstractContextManager[Team]:
        """Context manager: yields the workers.

        scheduler  the address of their scheduler; None for the configured one

        Raises: ChoiceError if no scheduler answers there.
        """
