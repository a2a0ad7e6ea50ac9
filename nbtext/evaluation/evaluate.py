"""What a model is worth, measured: corpora read, documents held out, answered and compared."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple

from ..analysis import Analysis
from ..classification.decision import Classifier
from ..corpus.sources import EMPTY, Aside, Found, Skipped
from ..corpus.walking import labelled
from ..decoding import Limits
from ..engines._sharing import unswept
from ..errors import ChoiceError, CorpusError
from ..inference.priors import log_priors
from ..model.model import Model
from ..settings import Hyperparameters
from ..training.choosing import NGRAMS
from ..training.pieces import is_short
from ..training.tuning import Tuning
from . import FOLDS, SHARE, Chosen, Evaluation, Unread, parts
from .examples import Example, Examples
from .experiment import NONE, Wishes, evaluated, evaluated_model

Progress = Callable[[Iterable[Any]], Iterable[Any]]


class Method(NamedTuple):
    """How documents are held out: one of the four ways, by default in ten folds.

    split          this share of each class is trained on, the rest tested, in (0, 1)
    folds          each of so many parts is tested by a model of the others, >= 2
    leave_one_out  each document is tested by a model of all others
    chronological  the oldest documents are trained on, `split` of all or 0.8, the newest tested
    repeat         how often split or folds are done anew
    seed           random seed
    """

    split: float | None = None
    folds: int | None = None
    leave_one_out: bool = False
    chronological: bool = False
    repeat: int = 1
    seed: int = 1

    @property
    def tests_all(self) -> bool:
        """Whether every document is tested."""
        return self.split is None and not self.chronological

    def check(self, *, tested: bool = False) -> None:
        """See that the choices go together, before anything is read.

        tested  whether documents to test on are given

        Raises: ChoiceError
        """
        ways = {
            "--folds": self.folds is not None,
            "--split": self.split is not None and not self.chronological,
            "--leave-one-out": self.leave_one_out,
            "--chronological": self.chronological,
            "--test": tested,
        }
        chosen = [name for name, is_chosen in ways.items() if is_chosen]
        if len(chosen) > 1:
            raise ChoiceError(f"{' and '.join(chosen)}: choose one way to hold documents out")
        if self.repeat > 1 and chosen and chosen[0] not in ("--folds", "--split"):
            raise ChoiceError(f"--repeat has no effect with {chosen[0]}, which chooses nothing at random")
        if self.split is not None:
            parts.check_share(self.split)
        if self.folds is not None:
            parts.check_folds(self.folds)

    def parts(self, documents: Sequence[Example]) -> parts.Parts:
        """The documents to be held out."""
        if self.leave_one_out:
            return parts.by_itself(documents)
        if self.chronological:
            return parts.by_time(documents, SHARE if self.split is None else self.split)
        if self.split is not None:
            return parts.by_split(documents, self.split, self.seed, self.repeat)
        if self.folds is not None:
            return parts.by_folds(documents, self.folds, self.seed, self.repeat)
        usual = parts.by_folds(documents, FOLDS, self.seed, self.repeat)
        return usual._replace(method=f"{usual.method} (the default)")


class Evaluated(NamedTuple):
    """An evaluation, with the documents that it is about.

    learned  those that a model was trained on or is; empty where a model in a file was tested
    aside    what was not read, or is odd
    """

    evaluation: Evaluation
    examples: Examples
    learned: list[Example]
    aside: list[Aside]


def evaluate(
    corpus: str | Sequence[str] = (),
    *,
    model: Model | None = None,
    test: str | Sequence[str] = (),
    method: Method = Method(),
    analysis: Analysis | None = None,
    hyperparameters: Hyperparameters | None = None,
    wishes: Wishes = NONE,
    tune: bool = False,
    limits: Limits = Limits(),
    report: Callable[[Aside], object] = lambda _: None,
    reading: Progress = iter,
    testing: Progress = iter,
) -> Evaluated:
    """Measure how good a model is on documents that it has not seen.

    corpus           the corpora to learn from and to hold documents out of
    model            gives the settings, and with `test` is tested itself, if no corpus is named
    test             corpora to test on, instead of documents held out
    analysis         how documents become tokens; by default as the model has it
    hyperparameters  how counts become scores; by default as the model has them
    wishes           what else to measure
    tune             whether settings are chosen for each part, on its training documents alone
    limits           which documents are refused
    report           is told at once of what is not read, or is odd, for where there is nothing to evaluate
    reading,testing  wrap long loops, to show progress

    Raises: ChoiceError for choices that do not go together; CorpusError if there is nothing to learn from or to test
    on.
    """
    corpora, tested = ([each] if isinstance(each, str) else list(each) for each in (corpus, test))
    method.check(tested=bool(tested))
    chosen_analysis = analysis or (model.analysis if model else Analysis())
    chosen = hyperparameters or (model.hyperparameters if model else Hyperparameters())
    longest = max([chosen_analysis.ngrams, *(each.ngrams for each in wishes.compared), *(NGRAMS if tune else ())])
    examples = Examples(chosen_analysis._replace(ngrams=longest))
    aside, beside_tested = _Told(report), _Told(report)
    read = partial(examples.read, progress=reading)
    with unswept():
        if model is not None and tested and not corpora:
            found = _some(read(_tested(tested, chosen_analysis, limits), beside_tested.append), tested)
            evaluation = evaluated_model(Classifier(model, chosen), examples, found, tested, wishes)
            evaluation = evaluation._replace(unread=_unread(beside_tested, evaluation))
            return Evaluated(evaluation, examples, [], beside_tested)
        learned = read(_sources(corpora, chosen_analysis, limits), aside.append)
        others = _some(read(_tested(tested, chosen_analysis, limits), beside_tested.append), tested) if tested else []
        held_out = parts.as_given(learned, others) if tested else method.parts(learned)
        evaluation = evaluated(
            examples,
            learned,
            held_out,
            chosen_analysis,
            chosen,
            corpora,
            tested,
            wishes,
            tune=tuned if tune else None,
            seed=method.seed,
            progress=testing,
        )
    if tested or method.tests_all:
        evaluation = evaluation._replace(unread=_unread(beside_tested if tested else aside, evaluation))
    read_as = examples if tune else examples.up_to(chosen_analysis.ngrams)
    return Evaluated(evaluation, read_as, learned, [*aside, *beside_tested])


class _Told(list[Aside]):
    """What was set aside; somebody is told of each."""

    def __init__(self, report: Callable[[Aside], object]) -> None:
        super().__init__()
        self._report = report

    def append(self, item: Aside) -> None:
        """Add it, and tell."""
        super().append(item)
        self._report(item)


def _unread(aside: Iterable[Aside], evaluation: Evaluation) -> Unread | None:
    """The documents that had a label and were not tested, if there are any."""
    left = [item for item in aside if isinstance(item, Skipped) and item.label is not None]
    if not left:
        return None
    empty = [item.label for item in left if item.reason == EMPTY]
    training = sum((Counter(held.training) for held in evaluation.held), Counter())
    labels = sorted(training)
    priors = log_priors(evaluation.hyperparameters.prior, labels, [training[label] for label in labels])
    likeliest = labels[priors.index(max(priors))]
    return Unread(len(empty), len(left) - len(empty), empty.count(likeliest))


def tuned(examples: Examples, trained: Sequence[Example], hyperparameters: Hyperparameters) -> Chosen:
    """The settings that do best on documents, which have n-grams up to the longest of the grid."""
    corpus = examples.corpus
    tagged = examples.analysis.is_tagged
    documents = examples.of(trained)
    pieced = examples.with_pieces() if is_short(corpus, documents) else None
    pieces = (pieced.of(trained), pieced.corpus.tokens) if pieced else None
    tuning = Tuning(documents, corpus.tokens, corpus.labels, hyperparameters, tagged=tagged, pieces=pieces)
    best = tuning.standings()[0].setting
    weighted = ", fitted weights" if best.weights == "fitted" else ""
    weighted += ", character n-grams" if best.tokenizer else ""
    words = f"{best.event_model}, {best.of(hyperparameters).smoothing}, n-grams {best.ngrams}{weighted}"
    return Chosen(words, best.of(hyperparameters), best.ngrams, bool(best.tokenizer))


def _sources(corpora: Iterable[str], analysis: Analysis, limits: Limits) -> list[Found]:
    loose = analysis.input().reader.LABELLED
    return [item for root in corpora for item in labelled(root, loose=loose, limits=limits)]


def _tested(corpora: Iterable[str], analysis: Analysis, limits: Limits) -> list[Found]:
    try:
        return _sources(corpora, analysis, limits)
    except CorpusError as error:
        raise ChoiceError(f"--test {error}") from None


def _some(documents: list[Example], tested: Iterable[str]) -> list[Example]:
    """The documents, of which there must be one at least."""
    if not documents:
        raise ChoiceError(f"--test {', '.join(tested)}: no document there has a label and a token to test on")
    return documents
