"""An explanation as one HTML page: the document's text, with tokens shaded by the class that they support.

It follows the reader's choice of light or dark, and says nothing by colour alone: tokens against the answer are
underlined with dots, and a table lists all terms. `pages` keeps the page safe.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from math import fsum
from operator import attrgetter

from ..analysis import Analysis
from ..classification.decision import EMPTY, UNKNOWN, UNSURE
from ..classification.explanation import Explanation
from ..escaping import number
from ..readers import Document
from .locating import Piece, located
from .pages import head, shown

STRONGEST = 0.6  # the opacity of the strongest shade, so that the text on it stays readable in light and dark

# Words after the likeliest label if the outcome is not an answer
VERDICTS = {
    UNSURE: ", but unsure",
    UNKNOWN: ", only by the prior: the model knows none of the words",
    EMPTY: ", only by the prior: the document is empty",
}

TERMS = "What each token adds to the score of the answer minus that of the other class, in nats; its counts in both."

STYLE = """
:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
body { background: Canvas; color: CanvasText; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.2rem; line-height: 1.3; overflow-wrap: anywhere; margin-top: 2.5rem; }
.about { font-size: .875rem; overflow-wrap: anywhere; }
.terms { overflow-x: auto; font-size: .875rem; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid #8886; border-radius: .4rem; padding: .8rem; }
mark { color: inherit; border-radius: .2rem; background: none; }
.for { background: rgb(0 110 255 / var(--shade)); border-bottom: 2px solid rgb(0 110 255); }
.against { background: rgb(255 120 0 / var(--shade)); border-bottom: 2px dotted rgb(255 120 0); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .5rem; text-align: right; }
th:nth-child(2), td:nth-child(2) { text-align: left; min-width: 5rem; overflow-wrap: anywhere; }
tr + tr { border-top: 1px solid #8884; }
""".strip()


def page(explained: Iterable[tuple[Document, Explanation]], analysis: Analysis, about: str = "") -> Iterator[str]:
    """The page, in lines: a section for each document with its explanation; an index if there are several.

    analysis  of the model
    about     text for the head of the page, such as the model and the date
    """
    yield head("nbtext explain", STYLE)
    yield f'<main>\n<p class="about">{shown(about or "nbtext explain")}</p>'
    found = list(explained)
    if len(found) > 1:
        yield '<nav aria-label="documents"><ol>'
        for place, (document, explanation) in enumerate(found):
            answer = f"{shown(explanation.decision.label)} ({number(explanation.decision.posterior)})"
            yield f'<li><a href="#document-{place}">{shown(document.name)}</a>: {answer}</li>'
        yield "</ol></nav>"
    for place, (document, explanation) in enumerate(found):
        yield from _section(document, explanation, analysis, place)
    yield "</main>\n</body>\n</html>"


def _section(document: Document, explanation: Explanation, analysis: Analysis, place: int) -> Iterator[str]:
    decision = explanation.decision
    pieces = located(document, analysis)
    answer, against = shown(decision.label), shown(explanation.against)
    verdict = VERDICTS.get(decision.outcome, "")
    yield f'<h1 id="document-{place}">{shown(document.name)}</h1>'
    yield f"<p><strong>{answer}</strong> ({number(decision.posterior)}){verdict}, compared with {against}."
    if decision.label != explanation.against:
        yield (
            f'<mark class="for" style="--shade:.3">Shaded like this</mark>: supports {answer}; '
            f'<mark class="against" style="--shade:.3">like this</mark>: supports {against}.'
        )
    if any(map(_is_vague, pieces)):
        yield "This tokenizer does not say where its tokens are in the text; the table lists them."
    yield "</p>"
    marked = zip(pieces, _marked(pieces, _evidence(pieces, explanation)), strict=True)
    for tag, part in groupby(marked, key=lambda pair: pair[0].tag):
        if tag:
            yield f"<h2>{shown(tag)}</h2>"
        yield f'<div class="text" dir="auto">{"".join(text for _, text in part)}</div>'
    yield from _table(explanation, document.name)


def _evidence(pieces: Sequence[Piece], explanation: Explanation) -> list[list[tuple[str, float]]]:
    """The known tokens of each piece with what they add there; over all pieces a token adds up to its term."""
    times = Counter(token for piece in pieces for token in piece.tokens)
    shares = {term.token: explanation.difference(term.terms) / times[term.token] for term in explanation.terms}
    return [[(token, shares[token]) for token in piece.tokens if token in shares] for piece in pieces]


def _marked(pieces: Sequence[Piece], evidence: Sequence[Sequence[tuple[str, float]]]) -> Iterator[str]:
    """The text of each piece, shaded by the sum of the terms that start there."""
    sums = [
        0.0 if _is_vague(piece) else fsum(share for _, share in own)
        for piece, own in zip(pieces, evidence, strict=True)
    ]
    highest = max(map(abs, sums), default=0.0)
    for piece, own, whole in zip(pieces, evidence, sums, strict=True):
        if not whole:
            yield shown(piece.text)
            continue
        side = "for" if whole > 0 else "against"
        shade = STRONGEST * abs(whole) / highest
        reasons = ", ".join(f"{shown(token)} {share:+.3f}" for token, share in own)
        yield f'<mark class="{side}" style="--shade:{shade:.2f}" title="{reasons}">{shown(piece.text)}</mark>'


def _is_vague(piece: Piece) -> bool:
    """Whether a piece is more than a word, so that shading it would not show where its tokens are."""
    return len(piece.tokens) > 1 and len(piece.text.split()) > 1


def _table(explanation: Explanation, document: str) -> Iterator[str]:
    answer, against = explanation.decision.label, explanation.against
    yield f'<details open><summary>All terms</summary>\n<p class="about">{TERMS}</p>'
    yield f'<section class="terms" tabindex="0" aria-label="terms of {shown(document)}">\n<table>'
    yield _row("th", ["term", "token", "times", answer, against], ' scope="col"')
    for term in explanation.terms:
        counts = attrgetter(explanation.statistic)(term)
        cells = [f"{explanation.difference(term.terms):+.4f}", term.token, term.value, counts[answer], counts[against]]
        yield _row("td", cells)
    yield _row("td", [f"{explanation.difference(explanation.bias):+.4f}", "before any token", "", "", ""])
    yield _row("td", [f"{explanation.difference(explanation.decision.scores):+.4f}", "total", "", "", ""])
    yield "</table></section>\n</details>"


def _row(kind: str, cells: Iterable[object], attribute: str = "") -> str:
    return f"<tr>{''.join(f'<{kind}{attribute}>{shown(str(cell))}</{kind}>' for cell in cells)}</tr>"
