"""The minimum of a convex function: L-BFGS.

Source: Nocedal and Wright, Numerical Optimization (2006), algorithm 7.4.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]

MOST_STEPS = 300
REMEMBERED = 10  # previous steps that are used


def minimum(function: Callable[[Floats], tuple[float, Floats]], start: Floats, enough: float) -> Floats:
    """The place of the minimum of a convex function with a gradient, by L-BFGS.

    enough  the search ends after a step that gains no more than this

    >>> bowl = lambda x: (float(((x - 3) ** 2 * [1, 9]).sum()), 2 * (x - 3) * [1, 9])
    >>> minimum(bowl, np.zeros(2), 1e-15).round(6).tolist()
    [3.0, 3.0]
    """
    x = start
    value, gradient = function(x)
    steps: list[tuple[Floats, Floats, float]] = []
    for _ in range(MOST_STEPS):
        norm = float(np.sqrt(gradient @ gradient))
        if not norm:
            break
        direction = -_preconditioned(gradient, steps)
        slope = float(gradient @ direction)
        length = 1.0 if steps else 1 / norm
        nearer = x + length * direction
        lower, steeper = function(nearer)
        while lower > value + 1e-4 * length * slope:
            length /= 2
            if length < 1e-9:  # only rounding errors are left
                return x
            nearer = x + length * direction
            lower, steeper = function(nearer)
        moved, turned = nearer - x, steeper - gradient
        if (curvature := float(moved @ turned)) > 0:
            steps = [*steps[1 - REMEMBERED :], (moved, turned, curvature)]
        gain, x, value, gradient = value - lower, nearer, lower, steeper
        if gain <= enough:
            break
    return x


def _preconditioned(gradient: Floats, steps: list[tuple[Floats, Floats, float]]) -> Floats:
    """The gradient times an estimate of the inverse Hessian."""
    direction = gradient.copy()
    shares = []
    for moved, turned, curvature in reversed(steps):
        share = float(moved @ direction) / curvature
        direction -= share * turned
        shares.append(share)
    if steps:
        _, turned, curvature = steps[-1]
        direction *= curvature / float(turned @ turned)
    for (moved, turned, curvature), share in zip(steps, reversed(shares), strict=True):
        direction += (share - float(turned @ direction) / curvature) * moved
    return direction
