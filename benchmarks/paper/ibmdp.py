"""The iterative bounding MDP of Topin et al. (2021), as the paper's Appendix G.1 has it.

One episode classifies one hidden training row. What the agent knows of it are bounds of every
feature; tests narrow them, naming a class ends the episode. The paper's text narrows the wrong
bound after a test (a true x <= t bounds x from above): here it is the right one.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

RIGHT, WRONG, TEST = 1.0, -1.0, -0.01  # rewards


class IterativeBounding(gymnasium.Env):
    """Rows scaled to [0, 1]; actions 0 .. K-1 name a class, K + k d + v tests feature k.

    Parameters
    ----------
    X : ndarray of float64, shape (n_rows, n_features)
    y : ndarray of int64, shape (n_rows,)
        Labels 0 .. K-1.
    n_tests : int
        Thresholds per feature (d of the paper): parts (v + 1) / (d + 1) of what the bounds leave.
    max_tests : int
        The depth of trees: one test more ends the episode like a wrong class. The paper's horizon
        is infinite; there, with cheap tests, agents learn to test on and on instead.
    see_row : bool, default=False
        The observation is the whole state: the hidden row too. A policy of it is not a tree.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 (gymnasium's own convention)

    def __init__(
        self, X: np.ndarray, y: np.ndarray, n_tests: int, max_tests: int, see_row: bool = False
    ) -> None:
        self.low, self.span = scale(X)
        self.rows = ((X - self.low) / self.span).astype(np.float32)
        self.labels = y
        self.n_classes = int(y.max()) + 1
        self.n_features = X.shape[1]
        self.n_tests, self.max_tests, self.see_row = n_tests, max_tests, see_row
        parts = 3 if see_row else 2
        self.observation_space = spaces.Box(0, 1, (parts * self.n_features,), np.float32)
        self.action_space = spaces.Discrete(self.n_classes + self.n_features * n_tests)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        self.row = int(self.np_random.integers(len(self.rows)))
        self.bounds = unknown(self.n_features)
        self.steps = 0
        return self.observation(), {}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        self.steps += 1
        if action < self.n_classes:
            reward = RIGHT if action == self.labels[self.row] else WRONG
            return self.observation(), reward, True, False, {}
        if self.steps > self.max_tests:
            return self.observation(), WRONG, True, False, {}
        feature, threshold = self.test(action, self.bounds)
        passes = self.rows[self.row, feature] <= threshold
        self.bounds = narrowed(self.bounds, feature, threshold, passes)
        return self.observation(), TEST, False, False, {}

    def observation(self) -> np.ndarray:
        known = self.bounds.ravel()
        return np.concatenate([self.rows[self.row], known]) if self.see_row else known.copy()

    def test(self, action: int, bounds: np.ndarray) -> tuple[int, np.float32]:
        """Feature and threshold, scaled, of a test action under the bounds known."""
        feature, place = divmod(int(action) - self.n_classes, self.n_tests)
        low, high = bounds[:, feature]
        return feature, np.float32((place + 1) / (self.n_tests + 1) * (high - low) + low)


def scale(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Smallest value and range of every feature; 1 for a constant one."""
    span = np.ptp(X, axis=0)
    return X.min(axis=0), np.where(span > 0, span, 1.0)


def unknown(n_features: int) -> np.ndarray:
    """Lower and upper bounds before any test: (2, n_features)."""
    return np.repeat(np.array([[0.0], [1.0]], dtype=np.float32), n_features, axis=1)


def narrowed(bounds: np.ndarray, feature: int, threshold: float, passes: bool) -> np.ndarray:
    """Bounds after the answer to a test."""
    after = bounds.copy()
    after[1 if passes else 0, feature] = threshold
    return after
