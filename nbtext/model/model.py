"""A model: counts in a file, with the analysis that made them and the reading they have by default.

Opening one looks at nothing that grows with the vocabulary. Learning one document is one transaction that leaves
counts and stored totals as training from scratch would have left them. Choosing labels is left to `decision`,
making a new model from a corpus to `training`.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ..analysis import Analysis
from ..errors import ChoiceError, ModelError
from ..inference.calibration import Calibration, calibrated
from ..inference.reading import Reading, Totals, Vocabulary, log_priors, most_frequent, ranked, totals_of
from ..inference.scoring import Scorer, event_model
from ..storage.model_file import opened
from ..storage.store import Class, LookUp, Store, checksum

if TYPE_CHECKING:
    from ..inference.leave_one_out import LeaveOneOut

DEFAULT_PATH = "model.nbtext"


class Model:
    """An open model.

    >>> from nbtext.training.training import train_documents
    >>> model = train_documents({"ham": ["lunch at noon"], "spam": ["win cash now"]})
    >>> model.labels
    ['ham', 'spam']

    Raises: ModelError, by any method, when the file turns out to be damaged or unwritable.
    """

    def __init__(self, store: Store) -> None:
        self.store = store
        self.refresh()

    @classmethod
    def open(cls, path: str, *, writable: bool = False) -> "Model":
        """The model in the file.

        Raises: ModelError if there is none, or it is damaged, or names what does not exist here.
        """
        model = cls(opened(path, writable=writable))
        try:
            model.analysis.input()
            model.analysis.tokens()
            event_model(model.reading)
            log_priors(model.reading.prior, model.labels, model.documents)
        except (AttributeError, TypeError, ChoiceError) as error:  # the file's fault, not the user's choice
            raise ModelError(f"{path}: {error}; was it made by another version?") from None
        return model

    def close(self) -> None:
        """Let go of the file."""
        self.store.close()

    def refresh(self) -> None:
        """Read again what is read on opening: another process may have learned meanwhile."""
        with self.store.snapshot():
            self.version = self.store.version()
            settings = self.store.settings()
            excluded = self.store.excluded()
            self.classes: list[Class] = self.store.classes()
        try:
            self.analysis = Analysis(*(settings[name] for name in Analysis._fields))
            stopwords = frozenset(token for token, why in excluded if why == "stopword")
            self.reading = Reading(
                **{name: settings[name] for name in Reading._fields if name != "stopwords"}, stopwords=stopwords
            ).checked()
            self.calibration = Calibration(settings["t"], settings["calibrated_on"]).checked()
            self.size = settings["vocabulary"]
            if type(self.size) is not int or self.size < 1:
                raise ChoiceError(f"a vocabulary of {self.size!r} tokens is impossible")
            self.tracks = bool(settings["track"])
            if (len(self.classes), len(excluded)) != (settings["classes"], settings["excluded"]):
                raise self.store.damaged("rows are missing")
            self.dropped = [token for token, why in excluded if why == "dropped"]
            self.labels = [entry.label for entry in self.classes]
        except (KeyError, TypeError, ValueError) as error:
            raise self.store.damaged(f"setting {error}") from None
        except ChoiceError as error:
            raise self.store.damaged(str(error)) from None

    @contextmanager
    def unchanging(self) -> Iterator[bool]:
        """A time in which all that is read is from one moment, the latest; tells whether others had learned since."""
        with self.store.snapshot():
            behind = self.store.version() != self.version
            if behind:
                self.refresh()
            yield behind

    @property
    def documents(self) -> list[int]:
        """Counted documents of each class, by class number."""
        return [entry.documents for entry in self.classes]

    @property
    def positions(self) -> list[int]:
        """Counted tokens of each class, repeats included, by class number."""
        return [entry.positions for entry in self.classes]

    @property
    def state(self) -> str:
        """What tells states of a model apart at once: the documents counted, and a checksum of settings and classes.

        Learning or unlearning a document changes it, the order of learning does not. It is the same for models whose
        totals all agree though tokens differ; the fingerprint tells these apart too, after a pass over all tokens.
        """
        reading = self.reading._replace(stopwords=frozenset())
        known = checksum([*self.analysis, *reading, *sorted(self.reading.stopwords), self.size, *sorted(self.classes)])
        return f"{sum(self.documents)}-{known:08x}"

    def index(self, label: str) -> int:
        """The number of the class with this label.

        Raises: ChoiceError, listing the labels there are.
        """
        if label not in self.labels:
            raise ChoiceError(f"no class {label!r} in {self.store.path}; there are: {', '.join(sorted(self.labels))}")
        return self.labels.index(label)

    def corpora(self) -> list[str]:
        """Where the documents came from: as seen from the working directory if below it, else as absolute paths."""
        folder = os.path.dirname(os.path.realpath(self.store.path))
        places = [os.path.normpath(os.path.join(folder, place)) for place in self.store.corpora()]
        below = os.path.join(os.path.realpath(os.getcwd()), "")
        return [place.removeprefix(below) for place in places]

    # Reading the counts

    def vocabulary(self, reading: Reading) -> Vocabulary:
        """The tokens in use under the reading; finding the most frequent ones anew takes a pass over all tokens."""
        if _filters(reading) == _filters(self.reading):
            return Vocabulary(reading, self.dropped)
        return Vocabulary(reading, most_frequent(self.store.tokens(), reading) if reading.drop_top else ())

    def totals(self, vocabulary: Vocabulary, reading: Reading) -> Totals:
        """What the vocabulary adds up to: as stored for the default filters, else counted in a pass over all tokens."""
        if _filters(reading) != _filters(self.reading):
            return totals_of(self.store.tokens(), vocabulary, self.documents)
        totals = Totals(self.documents, spread=event_model(reading).SPREAD)
        totals.positions = [entry.vocabulary_positions for entry in self.classes]
        totals.presences = [entry.vocabulary_presences for entry in self.classes]
        totals.vocabulary = self.size
        if totals.spread is not None:
            for index, documents, tokens in self.store.spread():
                totals.spread[index][documents] = tokens
            sums = [sum(d * tokens for d, tokens in spread.items()) for spread in totals.spread]
            within = all(max(spread, default=0) <= n for n, spread in zip(self.documents, totals.spread, strict=True))
            if totals.presences != sums or not within:
                raise self.store.damaged("its totals disagree")
        return totals

    def scorer(self, reading: Reading | None = None) -> Scorer:
        """Scores under the reading, by default the model's own.

        Raises: ChoiceError for a reading that makes no sense for this model; ModelError if it leaves no vocabulary.
        """
        reading = (reading or self.reading).checked()
        vocabulary = self.vocabulary(reading)
        totals = self.totals(vocabulary, reading)
        if not totals.vocabulary:
            raise ModelError(f"{self.store.path}: no token is left of its vocabulary by the filters; loosen them")
        priors = log_priors(reading.prior, self.labels, self.documents)
        return Scorer(reading, vocabulary, totals, priors, LookUp(self.store, self.size))

    def calibration_of(self, reading: Reading, scorer: Scorer) -> Calibration:
        """How posteriors are tempered under the reading: as stored for the default one, else fitted on the sample."""
        if reading == self.reading:
            return self.calibration
        sample = [(index, bag) for _, index, bag in self.store.sample()]
        with self.store.sampling():
            return calibrated(self.leave_one_out(scorer), sample)

    def leave_one_out(self, scorer: Scorer) -> "LeaveOneOut":
        """Scores of counted documents as if they had not been counted."""
        from ..inference.leave_one_out import LeaveOneOut  # answers under the default reading have no use for it

        ranking = ranked(self.store.tokens(), scorer.reading) if scorer.reading.drop_top else []
        return LeaveOneOut(scorer, self.labels, ranking)


def _filters(reading: Reading) -> tuple[object, ...]:
    return reading.stopwords, reading.drop_top, reading.min_count, reading.min_docs
