"""Filtering mail: the message gets a header field with the verdict.

    X-Nbtext: spam, 0.9987; model=6046-1c29b5e7

The field has the answer, or `unsure`; the posterior of the likeliest label; the state of the model (`Model.state`); and
further details after semicolons. Nothing in a label or a token can end the field, start another or look like the
answer: all of it is printable ASCII. `mail.verdict` puts the field into the message.
"""

import re
from typing import TYPE_CHECKING, NamedTuple

from ..errors import ChoiceError, ModelError
from ..escaping import escaped, number
from ..mail.verdict import extended, tagged, untagged, without
from ..model.model import Model
from ..readers import Document, mail
from .decision import ANSWER, UNSURE, Classifier, Decision

if TYPE_CHECKING:
    from .explanation import Explanation

UNSURE_FIELD = "unsure"
LONGEST_NAME = 200  # characters of an escaped label or token; a longer one ends in dots. Lines may have 998
TAG = re.compile(r"(?! )[ !#-~]{1,40}(?<! )")  # printable ASCII without quotes
ALWAYS_ESCAPED = re.compile(r"[,;]|=(?=\?)|^ | $")  # separators, and text that a mail program would decode


class Thresholds(NamedTuple):
    """The least posteriors of messages labelled spam and ham; ham means any label but spam.

    spam_above, ham_above  in [0, 1]; a message that reaches both is spam, one that reaches neither is unsure
    """

    spam_above: float
    ham_above: float

    def judged(self, decision: Decision, spam_label: str) -> Decision:
        """The decision by these thresholds; one on a document without a known token is not changed."""
        if decision.outcome not in (ANSWER, UNSURE):
            return decision
        for label, posterior in sorted(decision.posteriors.items(), key=lambda entry: entry[0] != spam_label):
            if posterior >= (self.spam_above if label == spam_label else self.ham_above):
                return decision._replace(outcome=ANSWER, label=label)
        return decision._replace(outcome=UNSURE)


def filtered(
    message: bytes,
    classify: Classifier,
    *,
    spam_label: str = "spam",
    subject_tag: str = "",
    explained: int = 0,
    thresholds: Thresholds | None = None,
) -> bytes:
    r"""The message with the verdict added, all other bytes unchanged.

    spam_label   the label whose messages are tagged
    subject_tag  the text to put before the Subject of these, once: up to 40 printable ASCII characters, no quotes
    explained    the number of most decisive tokens to name in the field, >= 0
    thresholds   decide instead of the likeliest label

    >>> from nbtext import Analysis, train_documents
    >>> from nbtext.readers import Document
    >>> texts = [Document([("subject", "win cash")], "spam"), Document([("subject", "lunch at noon")], "ham")]
    >>> classify = Classifier(train_documents(texts, analysis=Analysis(reader="mail")))
    >>> filtered(b"Subject: cash\n\n", classify)  # doctest: +ELLIPSIS
    b'Subject: cash\nX-Nbtext: spam, 0.695652; model=2-...\n\n'

    Raises: ChoiceError for an impossible tag, or if a tag or thresholds are given and the model lacks the label;
    DocumentError for a message that cannot be read; ModelError if the model turns out to be damaged, or was not trained
    on mail.
    """
    if subject_tag or thresholds:
        classify.model.index(spam_label)
    if subject_tag and not TAG.fullmatch(subject_tag):
        raise ChoiceError(f"subject tag {subject_tag!r}: up to 40 printable ASCII characters, no quotes; try [SPAM]")
    message = without(message)
    seen = document(untagged(message, subject_tag.encode()) if subject_tag else message, classify.model)
    explanation = classify.explain(seen) if explained else None
    decision = explanation.decision if explanation else classify(seen)
    if thresholds:
        decision = thresholds.judged(decision, spam_label)
    facts = [verdict(decision), f"model={classify.model.state}"]
    if subject_tag and decision.says(spam_label):
        message = tagged(message, subject_tag.encode())
        facts.append(f'tag="{subject_tag}"')
    value = "; ".join(facts)
    if explanation:
        value += "".join(f";\n\t{reason}" for reason in reasons(explanation, explained))
    return extended(message, value.encode("ascii"))


def document(message: bytes, model: Model) -> Document:
    """A message read as a document by the reader of mail.

    Raises: DocumentError if it cannot be read; ModelError if the model was not trained on mail.
    """
    analysis = model.analysis
    if analysis.input().reader.KIND != "mail":
        raise ModelError(
            f"the model was trained with --reader {analysis.reader}, not on mail; "
            "for mail: nbtext train FOLDER --reader mail"
        )
    return mail.document(message, "the message", analysis.input().decode)


def verdict(decision: Decision) -> str:
    """The verdict on a message: its label, or `unsure`, which no label looks like, and the posterior."""
    if decision.outcome != ANSWER:
        return f"{UNSURE_FIELD}, {number(decision.posterior)}; likeliest={plain(decision.label)}"
    label = "\\x75nsure" if decision.label == UNSURE_FIELD else plain(decision.label)
    return f"{label}, {number(decision.posterior)}"


def reasons(explanation: "Explanation", most: int) -> list[str]:
    """The most decisive tokens, each with what it adds to the answer's score minus the runner-up's, in nats."""
    return [f"{plain(term.token)} {explanation.difference(term.terms):+.3g}" for term in explanation.terms[:most]]


def plain(text: str) -> str:
    r"""A text made safe for a header field: printable ASCII, no separators, of bounded length.

    >>> print(plain("café; 5€\n"), plain("=?utf-8?q?x?="), plain("x" * 999)[197:])
    caf\xe9\x3b 5\u20ac\n \x3d?utf-8?q?x?= ...
    """
    written = escaped(text[: LONGEST_NAME + 1]).encode("ascii", "backslashreplace").decode()
    written = ALWAYS_ESCAPED.sub(lambda found: f"\\x{ord(found[0]):02x}", written)
    return written if len(written) <= LONGEST_NAME else written[: LONGEST_NAME - 3] + "..."
