"""Why a document got its label: what each of its tokens adds to the scores."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..counting.rows import dense
from ..errors import ChoiceError
from ..escaping import html_table
from ..inference.scorer import Scorer, Weighted
from .decision import Decision

ByLabel = Callable[[Sequence[Any]], dict[str, Any]]


class Term(NamedTuple):
    """What one token adds to a document's score.

    token        the token
    value        how often it counts
    occurrences  label -> its occurrences in the class
    frequency    label -> documents of the class that contain it
    terms        label -> what it adds to the score of the class, in nats
    """

    token: str
    value: int
    occurrences: Mapping[str, int]
    frequency: Mapping[str, int]
    terms: Mapping[str, float]


class Explanation(NamedTuple):
    """Why a document got its label. For each label, bias and terms add up to the score, apart from rounding.

    decision   the decision
    bias       label -> the score of the class before any token
    terms      one for each known token of the document, the most decisive for or against the answer first
    against    the label that the answer is compared with, by default the runner-up; the answer if there is no other
    statistic  the count of a token in a class that the event model uses: "occurrences" or "frequency"
    joint      whether scores are log joint probabilities
    """

    decision: Decision
    bias: Mapping[str, float]
    terms: Sequence[Term]
    against: str
    statistic: str
    joint: bool

    def _repr_html_(self) -> str:
        """The decision and its terms as a table, for notebooks."""
        label, rows = self.decision.label, [("", "(bias)", f"{self.difference(self.bias):+.4f}")]
        rows += [(str(term.value), term.token, f"{self.difference(term.terms):+.4f}") for term in self.terms]
        said = f"{label}, {self.decision.posterior:.6g}: what supports it over {self.against}"
        return html_table(("times", "token", "nats"), rows, said)

    def difference(self, by_label: Mapping[str, float]) -> float:
        """The value for the answer minus that for the class it is compared with; of bias, terms or scores."""
        return by_label[self.decision.label] - by_label[self.against]


def explanation(
    decision: Decision, weighted: Iterable[Weighted], scorer: Scorer, by_label: ByLabel, against: str | None = None
) -> Explanation:
    """The reasons for a decision, the most decisive tokens first.

    weighted  the vocabulary tokens of the document
    scorer    scored the document
    by_label  from values of all classes to those of the classes that have documents, by label
    against   the label to compare the answer with; by default, or if it is the answer itself, the runner-up

    Raises: ChoiceError if `against` can never be an answer.
    """
    terms = [_term(each, by_label) for each in weighted]
    event_model, bias = scorer.linear.event_model, by_label(scorer.bias)
    found = Explanation(decision, bias, terms, _compared(decision, against), event_model.STATISTIC, scorer.joint)
    terms.sort(key=lambda term: (-abs(found.difference(term.terms)), term.token))
    return found


def _term(weighted: Weighted, by_label: ByLabel) -> Term:
    token, value, row, weights = weighted
    occurrences, frequency = (dense(row, statistic, len(weights)) for statistic in ("occurrences", "frequency"))
    terms = [value * weight for weight in weights]
    return Term(token, value, by_label(occurrences), by_label(frequency), by_label(terms))


def _compared(decision: Decision, against: str | None) -> str:
    if against is not None and against not in decision.scores:
        raise ChoiceError(f"no class {against!r} to compare with; there are: {', '.join(sorted(decision.scores))}")
    if against is None or against == decision.label:
        return [*decision.scores, decision.label][1]  # the answer itself if there is no other
    return against
