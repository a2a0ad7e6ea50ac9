"""Pieces of the evaluation page: labels, tables and figures as HTML, escaped."""

from collections.abc import Callable, Iterable, Sequence
from html import escape

from ..evaluation.figures import Figure
from ..evaluation.reasons import Pull
from ..inference.keywords import Keyword
from .pages import shown

Link = Callable[[str], str | None]


def label(text: str) -> str:
    """A label or token in running text, whose writing direction does not affect the rest."""
    return f"<bdi>{shown(text)}</bdi>"


def cut(text: str) -> str:
    """A label that the page shortens if it is too long for the head of a row or column."""
    return f'<span title="{shown(text)}">{label(text)}</span>'


def linked(name: str, link: Link | None) -> str:
    """The name of a document, linked to its file if it has one."""
    address = link(name) if link else None
    return label(name) if address is None else f'<a href="{escape(address)}">{label(name)}</a>'


def tokens(found: Sequence[Keyword | Pull], kind: str, *, weighed: bool = True) -> str:
    """A list of tokens, with their nats if `weighed`."""
    weights = [f" <small>{each.nats:.1f}</small>" if weighed else "" for each in found]
    items = "".join(f"<li>{label(each.token)}{weight}</li>" for each, weight in zip(found, weights, strict=True))
    return f'<ul class="{kind}">{items}</ul>'


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, text: int = 0) -> str:
    """A table in a box; after the row heads come `text` columns of text, then columns of numbers."""
    kinds = [' class="text"'] * text + [""] * (len(head) - 1 - text)
    first, *others = head
    heads = "".join(f'<th{kind} scope="col">{title}</th>' for kind, title in zip(kinds, others, strict=True))
    body = "\n".join(
        f'<tr><th scope="row">{row[0]}</th>'
        + "".join(f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, row[1:], strict=True))
        + "</tr>"
        for row in rows
    )
    return (
        f'{scrolling(first)}<table>\n<thead><tr><th scope="col">{first}</th>{heads}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def scrolling(name: str) -> str:
    """The box around a table; the keyboard can scroll it too."""
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{name}">'


def figure(found: Figure) -> str:
    """A figure with its spread, if there is one."""
    if found.value is None:
        return "–"
    spread = "" if found.spread is None else f" <small>±{found.spread:.3f}</small>"
    return f"{found.value:.3f}{spread}"


def rate(found: Figure) -> str:
    """The same as percentages."""
    spread = "" if found.spread is None else f" <small>±{percent(found.spread)}</small>"
    return f"{percent(found.value)}{spread}"


def percent(share: float | None) -> str:
    """A share as a percentage, a dash if it has no value."""
    return "–" if share is None else f"{share:.1%}"


def sureness(posterior: float) -> str:
    """A posterior as a percentage, never 100%."""
    return "over 99.9%" if posterior > 0.999 else percent(posterior)


def anchor(title: str) -> str:
    """The name by which a link finds the section of this title."""
    return title.lower().replace(" ", "-")
