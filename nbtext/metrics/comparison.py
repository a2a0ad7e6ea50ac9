"""Measures of uncertainty: what chance alone can do with a sample of this size."""

from collections.abc import Iterable
from itertools import accumulate
from math import sqrt


def wilson(successes: int, n: int, z: float = 1.959963984540054) -> tuple[float, float]:
    """The confidence interval of a share, given that of a sample: low and high, in [0, 1].

        (p + z^2/2n -+ z sqrt(p (1 - p)/n + z^2/4n^2)) / (1 + z^2/n), p = successes / n

    successes  0 to n
    n          documents, >= 1, drawn independently of each other
    z          the normal quantile of the confidence; 1.96 for 95 %

    Unlike p -+ z sqrt(p (1 - p)/n) it stays within [0, 1], and does not shrink to a point when all are right.

    Source: Wilson, Probable inference, the law of succession, and statistical inference (1927).
    Raises: ValueError if n < 1 or successes are not from 0 to n.

    >>> [round(end, 4) for end in wilson(81, 263)]
    [0.2553, 0.3662]
    """
    if not 0 <= successes <= n or n < 1:
        raise ValueError(f"no share: {successes} of {n}")
    share = successes / n
    shrinkage = z * z / n
    centre = share + shrinkage / 2
    reach = sqrt(shrinkage * (share * (1 - share) + shrinkage / 4))
    low, high = (centre - reach) / (1 + shrinkage), (centre + reach) / (1 + shrinkage)
    # If none or all succeed, one end is exactly the share; rounding must not change that, nor leave [0, 1].
    return max(0.0, min(low, share)), min(1.0, max(high, share))


def won_and_lost(ours: Iterable[bool], theirs: Iterable[bool]) -> tuple[int, int]:
    """The number of documents that only the first got right, and that only the second did.

    ours, theirs  whether each document was answered correctly, in the same order

    >>> won_and_lost([True, True, False], [False, True, False])
    (1, 0)
    """
    pairs = list(zip(ours, theirs, strict=True))
    return pairs.count((True, False)), pairs.count((False, True))


def mcnemar(won: int, lost: int) -> float:
    """The probability of a record at least this uneven between two equally good classifiers: exact, in [0, 1].

        min(1, 2 * sum over i <= min(won, lost) of C(n, i) / 2^n), n = won + lost

    won   documents that only the one classifier got right, >= 0
    lost  documents that only the other got right, >= 0

    Documents on which both were right or both wrong say nothing about the difference. The sum is computed in integers
    and rounded once; 20,000 such documents with different answers take about 30 ms.

    Source: McNemar, Note on the sampling error of the difference between correlated proportions (1947), as an exact
    binomial test.
    Raises: ValueError if won or lost is negative.

    >>> mcnemar(won=5, lost=0) == 2 / 2**5
    True
    """
    n, fewer = won + lost, min(won, lost)
    if fewer < 0:
        raise ValueError(f"counts should not be negative: won {won}, lost {lost}")
    # Each C(n, i) from the one before it: calling math.comb for each is 200 times slower at 5,000 documents.
    ways = accumulate(range(1, fewer + 1), lambda before, i: before * (n - i + 1) // i, initial=1)
    return min(1.0, 2 * sum(ways) / (1 << n))


def holm(p_values: Iterable[float]) -> list[float]:
    """The p-values corrected for their number, in the same order, each in [0, 1] and none smaller than before.

        in ascending order, the running maximum of min(1, (m - i + 1) * p_i), m values, i from 1

    If values below 0.05 are called significant, the probability that any of these is an error is at most 5 %.

    Source: Holm, A simple sequentially rejective multiple test procedure (1979).

    >>> holm([0.03, 0.01, 0.5])
    [0.06, 0.03, 0.5]
    """
    p_values = list(p_values)
    ascending = sorted(range(len(p_values)), key=p_values.__getitem__)
    scaled = (min(1.0, (len(p_values) - rank) * p_values[place]) for rank, place in enumerate(ascending))
    adjusted = dict(zip(ascending, accumulate(scaled, max), strict=True))
    return [adjusted[place] for place in range(len(p_values))]
