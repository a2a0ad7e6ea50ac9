"""Weighted evidence of many documents, in plain numpy: the same as `_strata` in one loop, to the last bit.

`inference.weighting` explains the weights of tokens.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Integers = NDArray[Any]
    Floats = NDArray[Any]

GROUP = 1000  # documents at a time, to limit memory


class Speech(NamedTuple):
    """The evidence of tokens for the classes, in units of 2^-fraction nats.

    starts      int64: token t has the cells starts[t] to starts[t + 1] - 1
    classes     int32 of each cell
    weights     int64 of each cell
    absent      int64 of each token: its weight in a class where it has no cell
    shared      int64, kinds x classes: the part of the weight that all tokens of a kind share
    possible    bool of each class; the evidence for classes that are not possible is 0
    kinds       int64 of each token; -1 outside the vocabulary
    knots       strata of a kind
    frequency   int64 of each token: the number of its document frequency among the different ones
    below       int64, by that number: the knot below
    up          float64, by that number: the share of the way to the next knot, in [0, 1]
    spreads     float64, ascending: the knots of the other axis
    share       of the largest distance from the mean: how strongly the classes are separated
    fraction    binary digits after the point
    """

    starts: "Integers"
    classes: "Integers"
    weights: "Integers"
    absent: "Integers"
    shared: "Integers"
    possible: "Integers"
    kinds: "Integers"
    knots: int
    frequency: "Integers"
    below: "Integers"
    up: "Floats"
    spreads: "Floats"
    share: float
    fraction: int


def packed(speech: Speech) -> Speech:
    """The evidence in the form that `add_strata` and `add_weighted` read: here as it is."""
    return speech


class _Heard(NamedTuple):
    """Distinct tokens of some documents.

    places   the position of each entry's token among them; -1 for none
    values   T x classes, in nats
    corners  T x 4: the strata around each; a kind has frequencies x spreads of them
    shares   T x 4, adding up to 1
    """

    places: "Integers"
    values: "Floats"
    corners: "Integers"
    shares: "Floats"


def add_strata(starts: "Integers", terms: "Integers", speech: Speech, out: "Integers", lengths: "Integers") -> None:
    """Adds the evidence of each stratum for each class to `out`; each token is shared between the strata around it.

    starts, terms  the documents, as in Batch, int64 and int32; negative terms are skipped
    out            int64, writable, flat: documents x strata x classes
    lengths        int64, writable, flat, documents x kinds: the number of known terms is added

    Raises: IndexError for a term without cells.
    """
    import numpy as np

    terms = _known(starts, terms, speech, lengths)
    classes = len(speech.possible)
    sums = out.reshape(len(starts) - 1, len(speech.shared) * speech.knots * classes)
    for first in range(0, len(starts) - 1, GROUP):
        some = slice(first, min(first + GROUP, len(starts) - 1))
        entries = slice(starts[some.start], starts[some.stop])
        heard = _heard(terms[entries], speech)
        rows = np.repeat(np.arange(some.start, some.stop), np.diff(starts[some.start : some.stop + 1]))
        kept = np.flatnonzero(heard.places >= 0)
        rows, places = rows[kept], heard.places[kept]
        for corner in range(4):
            units = _units(heard.shares[:, corner, None] * heard.values, speech.fraction)
            columns = heard.corners[:, corner, None] * classes + np.arange(classes)
            np.add.at(sums, (rows[:, None], columns[places]), units[places])


def add_weighted(
    starts: "Integers", terms: "Integers", speech: Speech, weights: "Floats", out: "Integers", lengths: "Integers"
) -> None:
    """Adds the evidence of tokens of each kind for each class, times their interpolated weights, to `out`.

    weights  float64, strata x classes
    out      int64, writable, flat: documents x kinds x classes; the rest as in `add_strata`
    """
    import numpy as np

    terms = _known(starts, terms, speech, lengths)
    sums = out.reshape(len(starts) - 1, len(speech.shared), len(speech.possible))
    heard = _heard(terms, speech)
    found = heard.shares[:, :1] * weights[heard.corners[:, 0]]
    for corner in range(1, 4):
        found = found + heard.shares[:, corner : corner + 1] * weights[heard.corners[:, corner]]
    units = _units(found * heard.values, speech.fraction)
    kept = np.flatnonzero(heard.places >= 0)
    rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    np.add.at(sums, (rows[kept], speech.kinds[terms[kept]]), units[heard.places[kept]])


def _known(starts: "Integers", terms: "Integers", speech: Speech, lengths: "Integers") -> "Integers":
    """The terms, -1 for those outside the vocabulary; the others are added to the lengths."""
    import numpy as np

    if len(terms) and terms.max() >= len(speech.starts) - 1:
        raise IndexError("a term has no cells")
    kinds = np.where(terms < 0, -1, np.append(speech.kinds, -1)[terms])
    rows = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    known = kinds >= 0
    np.add.at(lengths.reshape(len(starts) - 1, len(speech.shared)), (rows[known], kinds[known]), 1)
    return np.where(known, terms, -1)


def _heard(terms: "Integers", speech: Speech) -> _Heard:
    """The distinct tokens among the terms."""
    import numpy as np

    tokens, places = np.unique(terms, return_inverse=True)
    unknown = int((tokens < 0).sum())
    tokens = tokens[unknown:]
    values = _values(tokens, speech)
    spread = speech.share * np.abs(values).max(axis=1, initial=0)
    edges = speech.spreads
    j = np.clip(np.searchsorted(edges, spread, side="right") - 1, 0, len(edges) - 2)
    right = np.clip((spread - edges[j]) / (edges[j + 1] - edges[j]), 0.0, 1.0)
    frequency = speech.frequency[tokens]
    up = speech.up[frequency]
    first = speech.kinds[tokens] * speech.knots + speech.below[frequency] * len(edges) + j
    above = first + len(edges)
    return _Heard(
        np.maximum(places - unknown, -1),
        values,
        np.stack([first, first + 1, above, above + 1], axis=1),
        np.stack([(1 - up) * (1 - right), (1 - up) * right, up * (1 - right), up * right], axis=1),
    )


def _values(tokens: "Integers", speech: Speech) -> "Floats":
    """T x classes: the evidence of each token for each class, in nats."""
    import numpy as np

    lengths = np.diff(speech.starts)[tokens]
    rows = np.repeat(np.arange(len(tokens)), lengths)
    cells = np.arange(len(rows)) + np.repeat(speech.starts[tokens] - np.cumsum(lengths) + lengths, lengths)
    weights = np.repeat(speech.absent[tokens, None], len(speech.possible), axis=1)
    weights[rows, speech.classes[cells]] = speech.weights[cells]
    weights += speech.shared[speech.kinds[tokens]]
    mean = weights[:, speech.possible].sum(axis=1).astype(np.float64) / speech.possible.sum()
    values = np.ldexp(weights.astype(np.float64) - mean[:, None], -speech.fraction)
    values[:, ~speech.possible] = 0
    return np.asarray(values)


def _units(nats: "Floats", fraction: int) -> "Integers":
    """Numbers in units of 2^-fraction nats, rounded to the nearest, or to the even number if halfway."""
    import numpy as np

    return np.asarray(np.rint(np.ldexp(nats, fraction)).astype(np.int64))
