"""Penalised multinomial logistic regression on the features of documents.

    z_dc  = log prior(c) + b_c + sum over strata s of (w_s + e_cs) X_dcs

    minimised: - sum over documents of log softmax(z_d)_y
               + 1/2 (SMOOTH * sum over neighbouring knots of (w_s - w_r)^2 + RIDGE |w|^2 + DEVIATION |e|^2 + |b|^2)

with X from `Evidence.features`, in units of the standard deviation that a kind's liveliest stratum has; e counts by the
deviation of its own. So knots that hardly any token is near to take after their neighbours. Of two classes none
deviates: what a token says for the one it says against the other.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..counting.documents import Integers
from .features import Features
from .minimum import minimum
from .priors import IMPOSSIBLE
from .weighting import DIGITS, FREQUENCIES, KNOTS, SPREADS, Kinds, Weighting

Floats = NDArray[np.floating]

SMOOTH = 0.5
RIDGE = 0.1
DEVIATION = 10.0
LIVELY = 0.1  # the least deviation of a stratum, as a share of that of its kind's liveliest
ENOUGH = 2e-6  # nats of log loss, for each document: a step that gains less is the last,
ROUGH = 1e-3  # and before that the last to the rough place of the minimum


class Numbers(NamedTuple):
    """What is fitted.

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

    def weighting(self, kinds: Kinds, labels: list[str], documents: int) -> Weighting:
        """The numbers as a model keeps them, rounded."""
        possible = [index for index, bias in enumerate(self.biases.tolist()) if np.isfinite(bias)]
        return Weighting(
            documents,
            tuple(kinds.names),
            _by_kind(self.shared, kinds),
            {labels[index]: _by_kind(self.deviations[index], kinds) for index in possible},
            {labels[index]: round(float(self.biases[index]), DIGITS) for index in possible},
        )


def _by_kind(weights: Floats, kinds: Kinds) -> dict[str, list[float]]:
    """Weights of all strata, kind by kind, rounded."""
    rounded = [round(number, DIGITS) + 0.0 for number in weights.tolist()]
    return {name: rounded[k * KNOTS : (k + 1) * KNOTS] for k, name in enumerate(kinds.names)}


class Regression:
    """The function to minimise. Parameters are shared weights, deviations and biases, all scaled, one after another.

    >>> zeros = np.zeros((2, 2, KNOTS))
    >>> balanced = Features(zeros, np.array([1, 1]), np.array([0, 1]), np.array([0, 1]), np.log([0.5, 0.5]))
    >>> loss, gradient = Regression(balanced)(np.zeros(3 * KNOTS + 2))
    >>> round(loss, 6) == round(2 * float(np.log(2)), 6), float(abs(gradient).max())
    (True, 0.0)
    """

    def __init__(self, features: Features) -> None:
        values = features.values
        self.classes, self.strata = values.shape[1:]
        self.deviates = np.count_nonzero(features.offsets > IMPOSSIBLE) > 2
        self.own = features.classes
        self.offsets = features.offsets
        own = _deviations(values)
        liveliest = np.repeat(own.reshape(-1, KNOTS).max(axis=1), KNOTS)
        liveliest[liveliest == 0] = 1
        self.scale = np.maximum(own, LIVELY * liveliest)
        relative = liveliest / self.scale
        self.penalty = _smoothness(self.strata) * np.outer(relative, relative)
        # C x D x S, so that each class is one product of matrices
        scale = self.scale.astype(values.dtype)
        self.features = np.empty((self.classes, len(values), self.strata), values.dtype)
        for index in range(self.classes):
            np.divide(values[:, index], scale, out=self.features[index])

    @property
    def size(self) -> int:
        """How many parameters there are."""
        return int(self.strata + self.classes * self.strata + self.classes)

    def split(self, parameters: Floats) -> tuple[Floats, Floats, Floats]:
        """Shared weights, deviations and biases."""
        shared, deviations, biases = np.split(parameters, [self.strata, self.size - self.classes])
        return shared, deviations.reshape(self.classes, self.strata), biases

    def __call__(self, parameters: Floats) -> tuple[float, Floats]:
        """The value at the parameters, and the gradient."""
        shared, deviations, biases = self.split(parameters)
        residual, loss = _residual(self._scores(parameters), self.own)
        across = residual.T.astype(self.features.dtype)[:, None, :]
        slope = np.matmul(across, self.features)[:, 0, :].astype(np.float64)
        smooth = self.penalty @ shared
        gradient = (
            slope.sum(axis=0) + smooth,
            (slope + DEVIATION * deviations).ravel() * self.deviates,
            residual.sum(axis=0) + biases,
        )
        penalty = shared @ smooth + DEVIATION * np.square(deviations).sum() + biases @ biases
        return loss + float(penalty) / 2, np.concatenate(gradient)

    def _scores(self, parameters: Floats) -> Floats:
        """D x C: the scores of the documents."""
        shared, deviations, biases = self.split(parameters)
        weights = (shared + deviations).astype(self.features.dtype)
        sums = np.matmul(self.features, weights[:, :, None])[:, :, 0].T
        return np.asarray(sums + (self.offsets + biases))

    def minimised(self, start: Floats | None = None) -> Floats:
        """The parameters where it is least: found roughly, then in units in which it curves alike in all directions."""
        rough = minimum(self, np.zeros(self.size), ROUGH * len(self.own)) if start is None else start
        scale = np.sqrt(self._curvature(rough))

        def scaled(parameters: Floats) -> tuple[float, Floats]:
            value, gradient = self(parameters / scale)
            return value, gradient / scale

        return minimum(scaled, rough * scale, ENOUGH * len(self.own)) / scale

    def _curvature(self, parameters: Floats) -> Floats:
        """About the second derivatives, each parameter's own."""
        residual, _ = _residual(self._scores(parameters), self.own)
        posteriors = residual + (np.arange(self.classes) == self.own[:, None])
        spread = (posteriors * (1 - posteriors)).T.astype(self.features.dtype)
        square = np.array([some @ np.square(own) for some, own in zip(spread, self.features, strict=True)], np.float64)
        return np.concatenate(
            [square.sum(axis=0) + np.diag(self.penalty), (square + DEVIATION).ravel(), spread.sum(axis=1) + 1.0]
        )

    def numbers(self, parameters: Floats) -> Numbers:
        """The numbers that parameters are, for features as they are."""
        shared, deviations, biases = self.split(parameters)
        possible = self.offsets > IMPOSSIBLE
        return Numbers(shared / self.scale, deviations / self.scale, np.where(possible, biases, IMPOSSIBLE))


def _deviations(values: Floats) -> Floats:
    """S: the standard deviation of each stratum."""
    mean = values.mean(axis=(0, 1), dtype=np.float64)
    square = np.einsum("dcs,dcs->s", values, values, dtype=np.float64) / (values.shape[0] * values.shape[1])
    return np.asarray(np.sqrt(np.maximum(square - mean**2, 0)))


def _smoothness(strata: int) -> Floats:
    """S x S: w P w penalises neighbouring knots of a kind that differ, and a little the weights themselves."""
    grid = np.arange(strata).reshape(-1, len(FREQUENCIES), len(SPREADS))
    pairs = [(grid[:, 1:], grid[:, :-1]), (grid[:, :, 1:], grid[:, :, :-1])]
    matrix = RIDGE * np.eye(strata)
    for some, others in pairs:
        a, b = some.ravel(), others.ravel()
        for row, column, sign in (a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1):
            np.add.at(matrix, (row, column), SMOOTH * sign)
    return matrix


def _residual(scores: Floats, classes: Integers) -> tuple[Floats, float]:
    """The posteriors of documents less the truth, and the sum of -log(posterior of the true class)."""
    below = scores - scores.max(axis=1, keepdims=True)
    odds = np.exp(below)
    whole = odds.sum(axis=1, keepdims=True)
    rows = np.arange(len(classes))
    residual = odds / whole
    residual[rows, classes] -= 1
    return residual, float((np.log(whole[:, 0]) - below[rows, classes]).sum())
