"""Stop word lists of languages or files, tokenized by the model's tokenizer.

A list has words as people write them; their tokens can differ, and only tokens can match those of documents.
"""

from collections.abc import Callable
from typing import NamedTuple

from ..errors import ChoiceError
from ..readers import Document


class StopWords(NamedTuple):
    """A tokenized list.

    tokens   the tokens to leave out
    changed  (word, its tokens) of words that the tokenizer changes
    """

    tokens: frozenset[str]
    changed: list[tuple[str, list[str]]]


def stopwords(source: str, tokens: Callable[[Document], list[str]]) -> StopWords:
    """The list of a language ("en"), of a file (one or more words per line, # begins a comment), or "none".

    Raises: ChoiceError if it is none of these, or the package with the lists is not installed.
    """
    words = [] if source == "none" else _file(source) or _language(source)
    cut = [(word, tokens(Document([("", word)]))) for word in words]
    return StopWords(
        frozenset(token for _, found in cut for token in found),
        [(word, found) for word, found in cut if found != [word]],
    )


def _file(source: str) -> list[str]:
    try:
        with open(source, encoding="utf-8-sig", errors="replace") as file:
            return [word for line in file for word in line.partition("#")[0].split()]
    except OSError:
        return []


def _language(source: str) -> list[str]:
    try:
        import stopwordsiso
    except ImportError:
        raise ChoiceError(
            f"stopwords {source!r}: no such file; for the lists of languages: pip install 'nbtext[stopwords]'"
        ) from None
    if not stopwordsiso.has_lang(source):
        languages = ", ".join(sorted(stopwordsiso.langs()))
        raise ChoiceError(f"stopwords {source!r}: no such file or language; languages are: {languages}")
    return sorted(stopwordsiso.stopwords(source))
