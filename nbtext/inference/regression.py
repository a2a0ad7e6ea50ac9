"""Penalised multinomial logistic regression on the features of documents.

    z_dc  = log prior(c) + b_c + sum over strata s of (w (1 + u_s) + e_cs) X_dcs

    minimised: - sum over documents of log softmax(z_d)_y
               + 1/2 (SMOOTH * sum over neighbouring knots of (u_s - u_r)^2 + RIDGE |u|^2 + C DEVIATION |e|^2 + |b|^2)

with X from `Evidence.features`. w is the best single weight for all tokens, and is found first: plain naive Bayes with
a temperature. u is the departure of a stratum from w, as a share; so strata with few tokens stay near naive Bayes,
which survives a change of senders and topics better than weights that fit the past in every detail. e is scaled by the
standard deviation of its stratum over documents and classes. The more of the C classes there are, the rarer is the one
that a document speaks for, and the further its evidence exceeds that deviation: so the penalty grows with C. With two
classes there are no deviations: evidence for one class is evidence against the other. An attribute is a stratum without
neighbours and without deviations; attributes have a w of their own.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..counting.documents import Integers
from .features import Features
from .minimum import minimum
from .priors import IMPOSSIBLE
from .weighting import DIGITS, FREQUENCIES, KNOTS, SPREADS, Kinds, Weighting

Floats = NDArray[np.floating]

SMOOTH = 0.1
RIDGE = 0.1
DEVIATION = 1.0  # times the number of classes
LEAST = 0.01  # the least common weight: without evidence, every weight is about 0
LIVELY = 0.1  # the least standard deviation of a stratum, as a share of the largest one of its kind
ENOUGH = 2e-6  # nats of log loss per document: the search ends after a step that gains less;
ROUGH = 1e-3  # the same for the first, rough search


class Numbers(NamedTuple):
    """The fitted numbers.

    shared      S
    deviations  C x S
    biases      C
    """

    shared: Floats
    deviations: Floats
    biases: Floats

    def scores(self, features: Features) -> Floats:
        """D x C: the scores of documents."""
        weights = (self.shared + self.deviations).astype(features.values.dtype)
        sums = np.einsum("dcs,cs->dc", features.values, weights, dtype=np.float64)
        return np.asarray(features.offsets + self.biases + sums)

    def weighting(self, kinds: Kinds, labels: list[str], documents: int, attributes: Sequence[str] = ()) -> Weighting:
        """The numbers as a model keeps them, rounded."""
        worth = _rounded(self.shared)[len(kinds.names) * KNOTS :]
        possible = [index for index, bias in enumerate(self.biases.tolist()) if np.isfinite(bias)]
        return Weighting(
            documents,
            tuple(kinds.names),
            _by_kind(self.shared, kinds),
            {labels[index]: _by_kind(self.deviations[index], kinds) for index in possible},
            {labels[index]: round(float(self.biases[index]), DIGITS) for index in possible},
            dict(zip(attributes, worth, strict=True)),
        )


def _by_kind(weights: Floats, kinds: Kinds) -> dict[str, list[float]]:
    """Weights of all strata, kind by kind, rounded."""
    rounded = _rounded(weights)
    return {name: rounded[k * KNOTS : (k + 1) * KNOTS] for k, name in enumerate(kinds.names)}


def _rounded(weights: Floats) -> list[float]:
    return [round(number, DIGITS) + 0.0 for number in weights.tolist()]


class Regression:
    """The function to minimise. Its parameters are the departures u, the deviations e and the biases, in this order.

    >>> zeros = np.zeros((2, 2, KNOTS))
    >>> balanced = Features(zeros, np.array([1, 1]), np.array([0, 1]), np.array([0, 1]), np.log([0.5, 0.5]))
    >>> loss, gradient = Regression(balanced)(np.zeros(3 * KNOTS + 2))
    >>> round(loss, 6) == round(2 * float(np.log(2)), 6), float(abs(gradient).max())
    (True, 0.0)
    """

    def __init__(self, features: Features) -> None:
        values = features.values
        self.classes, self.strata = values.shape[1:]
        knots = self.strata - len(features.attributes)
        self.possible = features.offsets > IMPOSSIBLE
        several = int(self.possible.sum())
        self.deviates = (several > 2) & (np.arange(self.strata) < knots)  # S
        self.deviation_penalty = DEVIATION * several
        self.own = features.classes
        parts = [part.sum(axis=2, dtype=np.float64).T.copy() for part in np.split(values, [knots], axis=2)]
        text, attribute = _common_weights(parts, features)
        self.common = np.where(np.arange(self.strata) < knots, text, attribute)  # S
        self.offsets = features.offsets[:, None] + text * parts[0] + attribute * parts[1]  # C x D
        own = _deviations(values)
        liveliest = own.copy()
        liveliest[:knots] = np.repeat(own[:knots].reshape(-1, KNOTS).max(axis=1), KNOTS)
        liveliest[liveliest == 0] = 1
        self.scale = np.maximum(own, LIVELY * liveliest)
        self.unit = 1 / (self.scale * self.common)  # of deviations, as a share of the common weight
        self.penalty = _smoothness(self.strata, knots)
        # C x D x S, so that each class is one product of matrices
        common = self.common.astype(values.dtype)
        self.features = np.empty((self.classes, len(values), self.strata), values.dtype)
        for index in range(self.classes):
            np.multiply(values[:, index], common, out=self.features[index])

    @property
    def size(self) -> int:
        """The number of parameters."""
        return int(self.strata + self.classes * self.strata + self.classes)

    def split(self, parameters: Floats) -> tuple[Floats, Floats, Floats]:
        """Departures, deviations and biases."""
        departures, deviations, biases = np.split(parameters, [self.strata, self.size - self.classes])
        return departures, deviations.reshape(self.classes, self.strata), biases

    def __call__(self, parameters: Floats) -> tuple[float, Floats]:
        """The value at the parameters, and the gradient."""
        departures, deviations, biases = self.split(parameters)
        residual, loss = _residual(self._scores(parameters), self.own)
        across = residual.astype(self.features.dtype)[:, None, :]
        slope = np.matmul(across, self.features)[:, 0, :].astype(np.float64)
        smooth = self.penalty @ departures
        gradient = (
            slope.sum(axis=0) + smooth,
            ((self.unit * slope + self.deviation_penalty * deviations) * self.deviates).ravel(),
            residual.sum(axis=1) + biases,
        )
        penalty = departures @ smooth + self.deviation_penalty * np.square(deviations).sum() + biases @ biases
        return loss + float(penalty) / 2, np.concatenate(gradient)

    def _scores(self, parameters: Floats) -> Floats:
        """C x D: the scores of the documents."""
        departures, deviations, biases = self.split(parameters)
        weights = (departures + self.unit * deviations).astype(self.features.dtype)
        sums = np.matmul(self.features, weights[:, :, None])[:, :, 0]
        return np.asarray(sums + (self.offsets + biases[:, None]))

    def minimised(self, start: Floats | None = None) -> Floats:
        """The parameters at the minimum: found roughly, then with units in which the curvature is about the same."""
        rough = minimum(self, np.zeros(self.size), ROUGH * len(self.own)) if start is None else start
        scale = np.sqrt(self._curvature(rough))

        def scaled(parameters: Floats) -> tuple[float, Floats]:
            value, gradient = self(parameters / scale)
            return value, gradient / scale

        return minimum(scaled, rough * scale, ENOUGH * len(self.own)) / scale

    def _curvature(self, parameters: Floats) -> Floats:
        """Approximate second derivatives by each parameter."""
        residual, _ = _residual(self._scores(parameters), self.own)
        posteriors = residual + (np.arange(self.classes)[:, None] == self.own)
        spread = (posteriors * (1 - posteriors)).astype(self.features.dtype)
        square = np.array([some @ np.square(own) for some, own in zip(spread, self.features, strict=True)], np.float64)
        return np.concatenate(
            [
                square.sum(axis=0) + np.diag(self.penalty),
                (np.square(self.unit) * square + self.deviation_penalty).ravel(),
                spread.sum(axis=1) + 1.0,
            ]
        )

    def numbers(self, parameters: Floats) -> Numbers:
        """The fitted numbers for unscaled features."""
        departures, deviations, biases = self.split(parameters)
        shared = self.common * (1 + departures)
        return Numbers(shared, deviations / self.scale, np.where(self.possible, biases, IMPOSSIBLE))


def _common_weights(parts: Sequence[Floats], features: Features) -> list[float]:
    """The best weights if all strata of a part shared one.

    parts  C x D each: the summed evidence of a part's strata
    """
    whole = np.stack(parts)

    def loss(parameters: Floats) -> tuple[float, Floats]:
        weights, biases = parameters[: len(parts)], parameters[len(parts) :]
        scores = (features.offsets + biases)[:, None] + np.tensordot(weights, whole, 1)
        residual, value = _residual(scores, features.classes)
        slope = np.append((residual * whole).sum(axis=(1, 2)), residual.sum(axis=1) + biases)
        return value + float(biases @ biases) / 2, slope

    found = minimum(loss, np.zeros(len(parts) + whole.shape[1]), ENOUGH * len(features.classes))
    return [max(float(weight), LEAST) for weight in found[: len(parts)]]


def _deviations(values: Floats) -> Floats:
    """S: the standard deviation of each stratum."""
    mean = values.mean(axis=(0, 1), dtype=np.float64)
    square = np.einsum("dcs,dcs->s", values, values, dtype=np.float64) / (values.shape[0] * values.shape[1])
    return np.asarray(np.sqrt(np.maximum(square - mean**2, 0)))


def _smoothness(strata: int, knots: int) -> Floats:
    """S x S: u P u penalises neighbouring knots of a kind that differ, and departures themselves.

    knots  how many strata are knots; attributes follow
    """
    grid = np.arange(knots).reshape(-1, len(FREQUENCIES), len(SPREADS))
    pairs = [(grid[:, 1:], grid[:, :-1]), (grid[:, :, 1:], grid[:, :, :-1])]
    matrix = RIDGE * np.eye(strata)
    for some, others in pairs:
        a, b = some.ravel(), others.ravel()
        for row, column, sign in (a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1):
            np.add.at(matrix, (row, column), SMOOTH * sign)
    return matrix


def _residual(scores: Floats, classes: Integers) -> tuple[Floats, float]:
    """The posteriors of documents minus the truth, and the sum of -log(posterior of the true class).

    scores  C x D: with the classes first, numpy adds up all documents at once
    """
    below = scores - scores.max(axis=0)
    odds = np.exp(below)
    whole = odds.sum(axis=0)
    own = classes, np.arange(len(classes))
    residual = np.divide(odds, whole, out=odds)
    residual[own] -= 1
    return residual, float((np.log(whole) - below[own]).sum())
