"""The calibration of a model's posteriors, as its file keeps it."""

from typing import NamedTuple

from ..errors import ChoiceError

FEWEST = 50  # documents that a calibration needs


class Calibration(NamedTuple):
    """The temperature of posteriors.

    t          the fitted part of T(L), > 0; None leaves posteriors untempered
    documents  the number of documents it was fitted on
    """

    t: float | None
    documents: int

    def checked(self) -> "Calibration":
        """The calibration itself.

        Raises: ChoiceError if a number is outside its range.
        """
        t_is_sane = self.t is None or (isinstance(self.t, int | float) and 0 < self.t < float("inf"))
        if not t_is_sane or type(self.documents) is not int or self.documents < 0:
            raise ChoiceError(f"calibrated to {self.t} on {self.documents} documents")
        return self

    def settings(self) -> list[tuple[str, float | int | None]]:
        """The settings for the model file."""
        return [("calibrated_on", self.documents), ("t", self.t)]
