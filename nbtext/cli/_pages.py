"""What an evaluation can leave in files: a page, and its plots one by one."""

import os
from collections.abc import Callable, Sequence
from typing import NamedTuple
from urllib.parse import quote

import click

from ..evaluation import Evaluation
from ..evaluation.examples import Example
from ..evaluation.summary import Summary


class Pages(NamedTuple):
    """The files asked for on the command line.

    page    the page's, or None
    plots   the folder for plots, or None
    suffix  of the plots
    """

    page: str | None
    plots: str | None
    suffix: str

    def check(self) -> None:
        """Refuse, before the work, what could not be written in the end.

        Raises: UsageError, or ChoiceError if plots cannot be drawn here.
        """
        if self.page is not None and not os.path.isdir(os.path.dirname(self.page) or "."):
            raise click.UsageError(f"--report {self.page}: no such folder; make it first")
        if self.plots is not None and os.path.exists(self.plots) and not os.path.isdir(self.plots):
            raise click.UsageError(f"--plots {self.plots}: a file; name a folder")
        if self.page is not None or self.plots is not None:
            from ..report import plots

            plots.check()

    def write(self, evaluation: Evaluation, figures: Summary, documents: Sequence[Example]) -> None:
        """Write what was asked for.

        figures    the evaluation's summary
        documents  those learned; without them the page has no words of classes and no reasons of errors
        """
        if self.page is not None:
            _write_page(self.page, evaluation, figures, documents)
        if self.plots is not None:
            _write_plots(self.plots, evaluation, figures, self.suffix)


def _write_page(path: str, evaluation: Evaluation, figures: Summary, documents: Sequence[Example]) -> None:
    from ..evaluation import reasons
    from ..report.evaluation_page import page

    errors = reasons.worst(evaluation.predictions)
    words = reasons.insight(documents, evaluation.reading, errors) if documents else None
    text = page(evaluation, figures, words, link=_links_from(path))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def _links_from(page_path: str) -> Callable[[str], str | None]:
    """From a document's name to its address as seen from the page, or None if it is no file of its own."""
    folder = os.path.dirname(os.path.abspath(page_path))

    def link(name: str) -> str | None:
        return quote(os.fsencode(os.path.relpath(name, folder))) if os.path.isfile(name) else None

    return link


def _write_plots(folder: str, evaluation: Evaluation, figures: Summary, suffix: str) -> None:
    from ..report import plots

    os.makedirs(folder, exist_ok=True)
    for name, data in plots.plots(evaluation, figures, suffix=suffix).items():
        with open(os.path.join(folder, f"{name}.{suffix}"), "wb") as file:
            file.write(data)
