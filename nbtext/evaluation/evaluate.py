"""Measuring a model: reading corpora, holding out documents, answering them and comparing settings."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import NamedTuple

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
from .examples import Example, Examples, Progress
from .experiment import NONE, Wishes, evaluated, evaluated_model


class Method(NamedTuple):
    """How documents are held out: one of the four ways, by default in ten folds.

    split          train on this share of each class, test on the rest, in (0, 1)
    folds          number of parts, >= 2: each is tested with a model of the others
    leave_one_out  test each document with a model of all others
    chronological  train on the oldest documents, `split` of all or 0.8, test on the newest
    repeat         how often to repeat split or folds
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
        """Check that the choices can be combined, before anything is read.

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
    """An evaluation and its documents.

    learned  the documents used for training; empty if a model in a file was tested
    aside    what was skipped, or is odd
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

    corpus           the corpora to learn from, and from which documents are held out
    model            gives the settings; with `test` and no corpus, the model itself is tested
    test             corpora to test on, instead of held-out documents
    analysis         how documents become tokens; by default that of the model
    hyperparameters  how counts become scores; by default those of the model
    wishes           what else to measure
    tune             whether to choose settings for each part, on its training documents alone
    limits           which documents are refused
    report           called at once with everything skipped or odd, so that it is known even if evaluation fails
    reading,testing  wrap long loops, to show progress

    Raises: ChoiceError for choices that cannot be combined; CorpusError if there is nothing to learn from or to test
    on.
    """
    corpora, tested = ([each] if isinstance(each, str) else list(each) for each in (corpus, test))
    method.check(tested=bool(tested))
    chosen_analysis = analysis or (model.analysis if model else Analysis())
    chosen = hyperparameters or (model.hyperparameters if model else Hyperparameters())
    longest = max([chosen_analysis.ngrams, *(each.ngrams for each in wishes.compared), *(NGRAMS if tune else ())])
    examples = Examples(chosen_analysis._replace(ngrams=longest), dated=method.chronological)
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
    """The items set aside; a function is called with each."""

    def __init__(self, report: Callable[[Aside], object]) -> None:
        super().__init__()
        self._report = report

    def append(self, item: Aside) -> None:
        """Add an item, and report it."""
        super().append(item)
        self._report(item)


def _unread(aside: Iterable[Aside], evaluation: Evaluation) -> Unread | None:
    """The numbers of labelled documents that were not tested, if there are any."""
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
    """The best settings for the documents, which have n-grams up to the longest of the grid."""
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
    """The documents; there must be at least one."""
    if not documents:
        raise ChoiceError(f"--test {', '.join(tested)}: no document there has a label and a token to test on")
    return documents
