"""Files that `evaluate` can write: an HTML page, and plots."""

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

import click

from ..evaluation import Evaluation
from . import _output

if TYPE_CHECKING:
    from ..evaluation.evaluate import Evaluated
    from ..evaluation.summary import Summary


class Pages(NamedTuple):
    """The files asked for on the command line.

    page    path of the page, or None
    plots   the folder for plots, or None
    suffix  of the plots
    """

    page: str | None
    plots: str | None
    suffix: str

    def check(self) -> None:
        """Refuse paths that cannot be written, before the work begins.

        Raises: UsageError, or ChoiceError if plots cannot be drawn here.
        """
        if self.page is not None and not os.path.isdir(os.path.dirname(self.page) or "."):
            raise click.UsageError(f"--report {self.page}: no such folder; make it first")
        if self.plots is not None and os.path.exists(self.plots) and not os.path.isdir(self.plots):
            raise click.UsageError(f"--plots {self.plots}: a file; name a folder")
        if self.page is not None or self.plots is not None:
            from ..report import plots

            plots.check()

    def write(self, found: "Evaluated", figures: "Summary", about: Mapping[str, str]) -> None:
        """Write the files asked for.

        figures  the evaluation's summary
        about    what the head of the page says, by name
        """
        if self.page is not None:
            _write_page(self.page, found, figures, about)
        if self.plots is not None:
            _write_plots(self.plots, found.evaluation, figures, self.suffix)


def _write_page(path: str, found: "Evaluated", figures: "Summary", about: Mapping[str, str]) -> None:
    """Write the page; without training documents it has no keywords of classes and no reasons for errors."""
    from ..evaluation import reasons
    from ..evaluation.texts import texts
    from ..report.evaluation_page import page

    evaluation, learned = found.evaluation, found.learned
    errors = reasons.worst(evaluation.predictions)
    chosen = evaluation.hyperparameters
    insight = reasons.insight(found.examples, learned, chosen, errors) if learned else None
    names = {each.name for each in errors} | {each.name for each in evaluation.suspects or []}
    shown = texts(names, (*evaluation.corpora, *evaluation.tested), evaluation.analysis)
    text = page(evaluation, figures, insight, link=_links_from(path), texts=shown, about=about)
    _output.write_file_bytes(path, text.encode())


def _links_from(page_path: str) -> Callable[[str], str | None]:
    """A function from a document's name to its address relative to the page, or None if it is not a whole file."""
    folder = os.path.dirname(os.path.abspath(page_path))

    def link(name: str) -> str | None:
        return quote(os.fsencode(os.path.relpath(name, folder))) if os.path.isfile(name) else None

    return link


def _write_plots(folder: str, evaluation: Evaluation, figures: "Summary", suffix: str) -> None:
    from ..report import plots

    os.makedirs(folder, exist_ok=True)
    for name, data in plots.plots(evaluation, figures, suffix=suffix).items():
        _output.write_file_bytes(os.path.join(folder, f"{name}.{suffix}"), data)
