"""A corpus of any size, the same bytes for the same seed: python -m tests.bench.synthetic FOLDER --bytes 2G

Words follow Zipf's law: the word of rank r has a probability near 1 / (r ln V). Each class has its own order of the
ranks, and a `share` of the words of its documents is drawn from that order, the others from the common one. So a class
has its own word probabilities, and no table of them is kept: memory grows neither with the vocabulary nor the corpus.

Floats are only added and multiplied, which gives the same on every machine; powers and logarithms need not.
"""

import os
from collections.abc import Callable, Iterator
from itertools import product
from math import gcd
from pathlib import Path
from random import Random
from typing import NamedTuple

import click

UNITS = {"k": 10**3, "M": 10**6, "G": 10**9}
WORDS_A_LINE = 12
SHORTEST, LONGEST = 40, 640  # words in a document, near enough; their logarithms are uniform

_LETTERS = "etaoinsrhldcumfpgwybvkxjqz"
_LOW = 26**3
_SHORT = ["".join(letters) for length in (1, 2, 3) for letters in product(_LETTERS, repeat=length)]
_ENDINGS = ["".join(letters) + "er" for letters in product(_LETTERS, repeat=3)]  # of one length: none ends another
_OCTAVES = [float(2**k) for k in range(64)]


class Recipe(NamedTuple):
    """What decides every byte of a corpus.

    size        bytes of text to reach, at least; the document that reaches it is the last
    vocabulary  how many words there are to draw from; up to 5 million are spelled in seven letters
    classes     how many classes, 1 to 999
    share       the part of a document's words that is drawn by its class's own order, 0 to 1
    seed        anything: another seed is another corpus with the same word probabilities
    """

    size: int
    vocabulary: int = 5_000_000
    classes: int = 20
    share: float = 0.07
    seed: str = "1"


class Text(NamedTuple):
    """One document: its class, its number and its bytes."""

    label: str
    number: int
    content: bytes


def word(rank: int) -> str:
    """The spelling of the word of a rank, counted from 0: one spelling a word, short for common ones.

    >>> word(0), word(30), word(5_000_000 - 1)
    ('e', 'ei', 'lqucwer')
    """
    if rank < _LOW:
        return _SHORT[rank]
    return _SHORT[rank // _LOW] + _ENDINGS[rank % _LOW]


def ranks(random: Callable[[], float], size: int) -> Iterator[int]:
    """Endless ranks from 0 to size - 1; that of rank r has a probability near 1 / ((r + 1) ln size).

    random  returns the next number in [0, 1)

    The inverse of the distribution is a power of two: an octave and, within 0.3 %, 2^f = 1 + f (0.6565 + 0.3435 f).
    """
    octaves = _octaves_below(size + 1) * (1 - 2.0**-40)  # so that rounding never reaches the end
    powers = _OCTAVES
    while True:
        x = random() * octaves
        octave = int(x)
        f = x - octave
        yield int(powers[octave] * (1.0 + f * (0.6565 + 0.3435 * f))) - 1


def texts(recipe: Recipe) -> Iterator[Text]:
    """The documents of a corpus, one after the other, until they hold the bytes asked for.

    >>> first = next(texts(Recipe(size=1, vocabulary=50, classes=2)))
    >>> first.label, first.number, len(first.content.split()) >= SHORTEST
    ('class-001', 0, True)
    """
    random = Random(f"nbtext {recipe.seed}")
    rank = ranks(random.random, recipe.vocabulary)
    turns = [_turn(recipe.vocabulary, number) for number in range(recipe.classes)]
    length = ranks(random.random, LONGEST // SHORTEST - 1)
    written = number = 0
    while written < recipe.size:
        which = int(random.random() * recipe.classes)
        words = [word(next(rank)) for _ in range(SHORTEST * (next(length) + 1) + int(random.random() * SHORTEST))]
        factor = turns[which]
        for _ in range(int(len(words) * recipe.share + random.random())):
            words[int(random.random() * len(words))] = word((next(rank) + 1) * factor % recipe.vocabulary)
        lines = (" ".join(words[start : start + WORDS_A_LINE]) for start in range(0, len(words), WORDS_A_LINE))
        content = (".\n".join(lines) + ".\n").encode("ascii")
        yield Text(f"class-{which + 1:03}", number, content)
        written += len(content)
        number += 1


def write(folder: Path, recipe: Recipe) -> int:
    """Write a corpus as CLASS/NUMBER.txt and return the number of documents."""
    documents = 0
    known = set()
    for text in texts(recipe):
        place = os.path.join(folder, text.label)
        if text.label not in known:
            os.makedirs(place)
            known.add(text.label)
        with open(os.path.join(place, f"{text.number:07}.txt"), "wb") as file:
            file.write(text.content)
        documents += 1
    return documents


def size_of(text: str) -> int:
    """A number of bytes, as people write it.

    >>> size_of("250k"), size_of("2G"), size_of("1.5M"), size_of("12")
    (250000, 2000000000, 1500000, 12)

    Raises: ValueError if it is not a number with a unit of k, M or G, or none.
    """
    unit = UNITS.get(text[-1:], 1)
    return int(float(text if unit == 1 else text[:-1]) * unit)


def _octaves_below(end: int) -> float:
    """The x at which the inverse reaches `end`: a whole octave, and the place in it, found by halving."""
    octave = end.bit_length() - 1
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        value = _OCTAVES[octave] * (1.0 + middle * (0.6565 + 0.3435 * middle))
        low, high = (middle, high) if value < end else (low, middle)
    return octave + low


def _turn(vocabulary: int, number: int) -> int:
    """A factor that reorders the ranks, another for each class; prime to their number, so that no two ranks meet."""
    factor = vocabulary * (2 * number + 1) // 997 + 1
    while gcd(factor, vocabulary) > 1:
        factor += 1
    return factor


@click.command(epilog="Example: python -m tests.bench.synthetic big --bytes 2G --vocabulary 5000000 --seed 7")
@click.argument("folder", type=click.Path(path_type=Path, exists=False))
@click.option("--bytes", "size", default="16M", help="Bytes of text, with k, M or G.", show_default=True)
@click.option("--vocabulary", default=5_000_000, type=click.IntRange(2, 300_000_000), show_default=True)
@click.option("--classes", default=20, type=click.IntRange(1, 999), show_default=True)
@click.option("--share", default=0.07, type=click.FloatRange(0, 1), show_default=True, help="Words drawn by class.")
@click.option("--seed", default="1", show_default=True)
def main(folder: Path, size: str, vocabulary: int, classes: int, share: float, seed: str) -> None:
    """Write a synthetic corpus into FOLDER, one folder per class."""
    try:
        recipe = Recipe(size_of(size), vocabulary, classes, share, seed)
    except ValueError:
        raise click.UsageError(f"--bytes {size}: should be a number of bytes, as in 500k, 16M or 2G") from None
    click.echo(f"{write(folder, recipe)} documents in {folder}")


if __name__ == "__main__":
    main()
