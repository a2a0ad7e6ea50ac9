"""One document as a bag of tokens, for classifying and learning; numpy and the kernel are used only for long texts."""

from collections import Counter
from collections.abc import Callable

from ..analysis import Analysis
from ..readers import Document

LONG = 1_000_000  # characters of long texts: a list of their tokens would take a dozen times their memory


def bags(analysis: Analysis) -> Callable[[Document], Counter[str]]:
    """The function from a document to the occurrences of each of its tokens.

    >>> bag = bags(Analysis(ngrams=2))(Document([("subject", "to be"), ("", "to be")]))
    >>> sorted(bag.items())
    [('be', 1), ('subject:be', 1), ('subject:to', 1), ('subject:to be', 1), ('to', 1), ('to be', 1)]

    Raises: ChoiceError if there is no such tokenizer or option, or `ngrams` is below 1.
    """
    tokens = analysis.tokens()

    def bag(document: Document) -> Counter[str]:
        if sum([len(text) for _, text in document.parts]) < LONG:
            return Counter(tokens(document))
        return _long(analysis, document)

    return bag


def _long(analysis: Analysis, document: Document) -> Counter[str]:
    """The same without a list of all tokens."""
    from ..kernel import Indexer
    from .attributes import add_documents
    from .tokens import Terms, Tokens

    indexer = Indexer(analysis.tokenize(), analysis.ngrams)
    counted = add_documents(indexer, [document])
    tokens = Tokens(Terms.of(indexer))
    return Counter(dict(zip(tokens.texts(tokens.numbers(counted.terms)), counted.occurrences.tolist(), strict=True)))
