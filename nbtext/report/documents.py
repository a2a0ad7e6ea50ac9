"""Sections of the evaluation page about words and single documents: keywords, the worst errors, suspects."""

from collections.abc import Mapping

from ..escaping import number
from ..evaluation import Evaluation, Suspect
from ..evaluation.reasons import Insight, Reasons, worst
from ..metrics import Prediction
from . import pieces
from .pages import shown
from .pieces import Link

FIRST_CHARACTERS = 160  # of a text, shown before it is opened


def keywords(insight: Insight | None) -> str:
    """The keywords of each class, if they are known."""
    if insight is None:
        return ""
    groups = "".join(
        f"<div><h3>{pieces.label(label)}</h3>{pieces.tokens(found, 'tokens', weighed=False)}</div>"
        for label, found in insight.keywords.items()
    )
    note = "Words that are frequent in the class and rare in the others, the strongest first."
    return f'<p class="note">{note}</p>\n<div class="words">{groups}</div>'


def errors(evaluation: Evaluation, insight: Insight | None, link: Link | None, texts: Mapping[str, str]) -> str:
    """The worst errors, with their reasons and texts, if these are known."""
    found = worst(evaluation.predictions)
    if not found:
        return ""
    reasons = insight.reasons if insight else {}
    note = "The wrong answers given with the most confidence."
    if reasons:
        note += (
            " Each with the words that most support the answer and the truth, in nats, from a model of all other "
            "documents."
        )
    items = "\n".join(
        _error(each, reasons.get(each.name), link, texts.get(each.name) or each.excerpt) for each in found
    )
    return f'<p class="note">{note}</p>\n<ul class="errors">{items}</ul>'


def _error(error: Prediction, reasons: Reasons | None, link: Link | None, text: str | None) -> str:
    words = ""
    if reasons:
        sides = (("tokens astray", error.answer, reasons.astray), ("tokens kept", error.truth, reasons.right))
        pairs = (
            f"<div><dt>for {pieces.label(label)}</dt><dd>{pieces.tokens(found, kind)}</dd></div>"
            for kind, label, found in sides
            if found
        )
        words = f"<dl>{''.join(pairs)}</dl>"
    verdict = (
        f"is <b>{pieces.label(error.truth)}</b>, classified as <b>{pieces.label(error.answer)}</b> "
        f"with {pieces.sureness(error.confidence)}"
    )
    return _document(error.name, link, verdict, text, words)


def suspects(evaluation: Evaluation, link: Link | None, texts: Mapping[str, str]) -> str:
    """The documents that are probably mislabelled, with their texts, if these are known."""
    found = evaluation.suspects or []
    if not found:
        return ""
    note = (
        "Documents that are probably mislabelled, the strongest first: check whether the label is right. Strength is "
        "how much likelier the other label is, in nats per token."
    )
    items = "\n".join(_suspect(each, link, texts.get(each.name) or each.excerpt) for each in found)
    return f'<p class="note">{note}</p>\n<ul class="errors">{items}</ul>'


def _suspect(suspect: Suspect, link: Link | None, text: str | None) -> str:
    verdict = (
        f"labelled <b>{pieces.label(suspect.label)}</b>, suggested <b>{pieces.label(suspect.instead)}</b>, "
        f"strength {number(suspect.strength)}"
    )
    return _document(suspect.name, link, verdict, text)


def _document(name: str, link: Link | None, verdict: str, text: str | None, more: str = "") -> str:
    """A document in a list: its name, the verdict, its text if that could be read."""
    return (
        f'<li><p class="name">{pieces.linked(name, link)}</p><p class="verdict">{verdict}</p>'
        f"{_text(text) if text else ''}{more}</li>"
    )


def _text(text: str) -> str:
    """The text if it is short, else its beginning, which expands to the whole."""
    start = " ".join(text[:FIRST_CHARACTERS].split())
    if len(text) <= FIRST_CHARACTERS:
        return f'<p class="excerpt" dir="auto">{shown(start)}</p>'
    start = start.rsplit(" ", 1)[0]
    return (
        f'<details class="excerpt" dir="auto"><summary>{shown(start)}…</summary>'
        f'<div class="whole">{shown(text)}</div></details>'
    )
