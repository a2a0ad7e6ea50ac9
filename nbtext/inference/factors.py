"""Attributes: categories and numbers of a document, each a factor of naive Bayes beside the text.

    a category   P(v | class) = (n_v + alpha) / (n + alpha V)     n documents of the class have the attribute, n_v of
                 them this value; V values occur in the whole corpus. A value never seen is skipped. With an
                 m-estimate, alpha is m / V
    a number     density of the normal distribution with the mean and variance of the class's values, where `FLOOR`
                 times the variance of all values is added to the variance; a class without values uses all values

A document that lacks an attribute has no factor for it. Sums of numbers and of their squares are fractions, so that
learning, unlearning and merging are exact. Logarithms are integers of 2^-44 nats, as the weights of tokens are.

Source: Mitchell, Machine Learning (1997), section 6.9, for categories; John and Langley, Estimating Continuous
Distributions in Bayesian Classifiers (1995), for the normal distribution.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import ldexp, log, pi, sqrt
from types import MappingProxyType
from typing import Any, NamedTuple

from ..counting.rows import Row, dense
from ..errors import ChoiceError
from ..event_models import FRACTION_BITS, fixed, fixed_log
from ..fields import NUMBER, attribute_of

FARTHEST = 1e300  # nats, or standard deviations
USUAL_EXPONENT = 400  # for standard deviations between 1e-120 and 1e120, whose squares fit into doubles
FLOOR = 1e-9  # share of the variance of all values, as in scikit-learn
LARGEST_SUM = 1 << 61  # the most that all attributes of a document may add, in units of 2^-44 nats

Weights = list[int]
Smoothing = Callable[[int], float]  # from the number of values to the pseudo-count for each, > 0


class Moments(NamedTuple):
    """The sums over the values of a number.

    size     their number
    total    their sum
    squares  the sum of their squares
    """

    size: int = 0
    total: Fraction = Fraction(0)
    squares: Fraction = Fraction(0)

    def plus(self, value: Fraction, times: int) -> "Moments":
        """The moments after adding a value this many times; a negative number removes it."""
        return Moments(self.size + times, self.total + times * value, self.squares + times * value * value)

    def joined(self, other: "Moments") -> "Moments":
        """The moments of both together."""
        return Moments(self.size + other.size, self.total + other.total, self.squares + other.squares)

    @property
    def mean(self) -> Fraction:
        """The mean; there must be a value."""
        return self.total / self.size

    @property
    def variance(self) -> Fraction:
        """The mean squared distance from the mean; there must be a value."""
        return self.squares / self.size - self.mean**2

    @property
    def deviation(self) -> float:
        """The square root of the variance, whatever its size."""
        exponent = _exponent(self.variance)
        return ldexp(sqrt(self.variance / Fraction(4) ** exponent), exponent)


def _exponent(variance: Fraction) -> int:
    """The power of two by which values are divided before they become floats: 0 if their squares fit into doubles.

    >>> _exponent(Fraction(5)), _exponent(Fraction(10) ** 400)
    (0, 664)
    """
    exponent = (variance.numerator.bit_length() - variance.denominator.bit_length()) // 2
    return exponent if abs(exponent) > USUAL_EXPONENT else 0


class Category:
    """The totals of a category.

    values     the number of different values
    documents  per class: the number of documents that have a value
    """

    def __init__(self, classes: int) -> None:
        self.values = 0
        self.documents = [0] * classes

    def add(self, row: Row, times: int) -> None:
        """Add a value with this row, or with times=-1 remove it."""
        self.values += times
        for index, frequency in zip(row[::3], row[2::3], strict=True):
            self.documents[index] += times * frequency

    def shared(self, alpha: float) -> Weights:
        """Per class, the part of the weight that all values share; 0 for a class without values if alpha is 0."""
        return [-fixed_log(n + alpha * self.values) for n in self.documents]


class Number:
    """The sums over the values of a number, per class."""

    def __init__(self, classes: int) -> None:
        self.moments = [Moments()] * classes

    def add(self, value: Fraction, row: Row, times: int) -> None:
        """Add a value with this row, or with times=-1 remove it."""
        for index, frequency in zip(row[::3], row[2::3], strict=True):
            self.moments[index] = self.moments[index].plus(value, times * frequency)

    def densities(self) -> "Densities | None":
        """The normal distributions of the classes; None if all values are equal, so that they say nothing."""
        pooled = Moments()
        for each in self.moments:
            pooled = pooled.joined(each)
        if not pooled.size or pooled.variance <= 0:
            return None
        exponent = _exponent(pooled.variance)
        unit = Fraction(2) ** exponent
        floor = FLOOR * float(pooled.variance / unit**2)
        some = [each if each.size else pooled for each in self.moments]
        means = [float(each.mean / unit) for each in some]
        variances = [float(each.variance / unit**2) + floor for each in some]
        constants = [-0.5 * log(2 * pi * v) - exponent * log(2) for v in variances]
        return Densities(means, [0.5 / v for v in variances], constants, exponent)


class Densities(NamedTuple):
    """Normal distributions, one per class: the logarithm of a density is constant - scale * (value - mean)^2.

    exponent  means and values are in units of this power of two
    """

    means: Sequence[float]
    scales: Sequence[float]
    constants: Sequence[float]
    exponent: int = 0

    def at(self, value: str, most: int) -> Weights:
        """The logarithms of the densities. If one is further from 0 than `most`, all are scaled down by one factor.

        So a value that is far from all classes still supports the nearest one.
        """
        units = self._in_units(value)
        nats = [
            max(constant - scale * ((units - mean) * (units - mean)), -FARTHEST)
            for mean, scale, constant in zip(self.means, self.scales, self.constants, strict=True)
        ]
        farthest = max(map(abs, nats))
        nearer = min(1.0, ldexp(most, -FRACTION_BITS) / farthest) if farthest else 1.0
        return [max(-most, min(most, fixed(nearer * each))) for each in nats]

    def _in_units(self, value: str) -> float:
        if not self.exponent:
            return float(value)
        exact = Fraction(value) / Fraction(2) ** self.exponent
        farthest = Fraction(FARTHEST)
        return float(max(-farthest, min(farthest, exact)))


class AttributeTotals:
    """The totals of the attributes of all documents, which stay exact while documents are added and removed.

    categories  name -> its totals
    numbers     name -> its sums

    >>> totals = AttributeTotals(2)
    >>> totals.add("=sky:clear", [0, 2, 2, 1, 1, 1]); totals.add("=sky:grey", [1, 3, 3])
    >>> totals.categories["sky"].values, totals.categories["sky"].documents
    (2, [2, 4])
    >>> totals.add("=#age:1.5", [0, 2, 2])
    >>> totals.numbers["#age"].moments[0].total
    Fraction(3, 1)
    """

    def __init__(self, classes: int) -> None:
        self.classes = classes
        self.categories: dict[str, Category] = {}
        self.numbers: dict[str, Number] = {}

    def __bool__(self) -> bool:
        return bool(self.categories or self.numbers)

    def add(self, token: str, row: Row, times: int = 1) -> None:
        """Add a token with this row, or with times=-1 remove it; the token of an empty document is ignored."""
        name, value = attribute_of(token)
        if not name or not row:
            return
        if name[0] == NUMBER:
            self.numbers.setdefault(name, Number(self.classes)).add(Fraction(value), row, times)
        else:
            self.categories.setdefault(name, Category(self.classes)).add(row, times)

    def resize(self, classes: int) -> None:
        """Change the number of classes: new ones are empty, and removed ones must be."""
        self.classes = classes
        for category in self.categories.values():
            category.documents = (category.documents + [0] * classes)[:classes]
        for number in self.numbers.values():
            number.moments = (number.moments + [Moments()] * classes)[:classes]

    def plain(self) -> dict[str, Any]:
        """The totals as files hold them; attributes without any value are left out."""
        categories = {
            name: [each.values, *each.documents] for name, each in sorted(self.categories.items()) if each.values
        }
        numbers = {
            name: [[each.size, str(each.total), str(each.squares)] for each in number.moments]
            for name, number in sorted(self.numbers.items())
            if any(each.size for each in number.moments)
        }
        return {"categories": categories, "numbers": numbers}

    @classmethod
    def of(cls, plain: Any, classes: int) -> "AttributeTotals":
        """The inverse of `plain`.

        Raises: ChoiceError for any other value.
        """
        totals = cls(classes)
        try:
            for name, (values, *documents) in plain["categories"].items():
                category = totals.categories[name] = Category(classes)
                category.values, category.documents = values, documents
                if len(documents) != classes or any(type(n) is not int or n < 0 for n in (values, *documents)):
                    raise ValueError(name)
            for name, moments in plain["numbers"].items():
                number = totals.numbers[name] = Number(classes)
                number.moments = [Moments(n, Fraction(total), Fraction(squares)) for n, total, squares in moments]
                if len(moments) != classes or any(
                    type(each.size) is not int or each.size < 0 for each in number.moments
                ):
                    raise ValueError(name)
        except (AttributeError, KeyError, TypeError, ValueError, ZeroDivisionError) as error:
            raise ChoiceError(f"the totals of its attributes are impossible ({error})") from None
        return totals


class Factors:
    """Attributes under a smoothing: what a value adds to the score of each class.

    smoothing  of categories
    worth      name -> the factor for its logarithms, if weights were fitted; 1 for an attribute not named

    >>> totals = AttributeTotals(2)
    >>> rows = {"=sky:clear": [0, 2, 2, 1, 1, 1], "=sky:grey": [1, 3, 3]}
    >>> for token, row in rows.items(): totals.add(token, row)
    >>> from math import exp
    >>> from ..event_models import nats
    >>> [round(exp(nats(w)), 6) for w in Factors(totals, lambda values: 1.0).weights("=sky:clear", rows["=sky:clear"])]
    [0.75, 0.333333]
    """

    def __init__(
        self, totals: AttributeTotals, smoothing: Smoothing, worth: Mapping[str, float] = MappingProxyType({})
    ) -> None:
        self.totals = totals
        self.worth = worth
        known = {name: category for name, category in totals.categories.items() if category.values}
        self.alphas = {name: smoothing(category.values) for name, category in known.items()}
        self.shared = {name: category.shared(self.alphas[name]) for name, category in known.items()}
        densities = {name: number.densities() for name, number in totals.numbers.items()}
        self.densities = {name: each for name, each in densities.items() if each}
        self.most = LARGEST_SUM // max(len(totals.numbers), 1)

    def weights(self, token: str, row: Row) -> Weights | None:
        """What an attribute's token with this row adds to each class; None if it is unknown."""
        name, value = attribute_of(token)
        if name in self.densities:
            found = self.densities[name].at(value, self.most)
        elif row and name in self.shared:
            shared, alpha = self.shared[name], self.alphas[name]
            own = dense(row, "frequency", len(shared))
            found = [fixed_log(n + alpha) + each for n, each in zip(own, shared, strict=True)]
        else:
            return None
        return [self._limited(each * self.worth[name]) for each in found] if name in self.worth else found

    def _limited(self, units: float) -> int:
        return round(max(-self.most, min(self.most, units)))

    def known(self, tokens: Iterable[str], rows: Mapping[str, Row]) -> dict[str, Weights]:
        """The weights of the known ones among the tokens."""
        found = {token: self.weights(token, rows.get(token, [])) for token in tokens}
        return {token: weights for token, weights in found.items() if weights is not None}
