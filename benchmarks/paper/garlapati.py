"""The MDP of Garlapati et al. (2015), as the paper's Appendix G.2 has it.

Features are categories. A test asks for the value of one feature of the hidden row; each may be
asked for once, and after p + 1 steps an episode is over.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from benchmarks.paper.ibmdp import RIGHT, TEST, WRONG


class Revealing(gymnasium.Env):
    """Actions 0 .. K-1 name a class, K + k asks for feature k; 0 is a value not known yet.

    Parameters
    ----------
    X : ndarray, shape (n_rows, n_features)
        Any values; every feature's are numbered in ascending order.
    y : ndarray of int64, shape (n_rows,)
        Labels 0 .. K-1.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 (gymnasium's own convention)

    def __init__(self, X: np.ndarray, y: np.ndarray) -> None:
        numbered = [np.unique(column, return_inverse=True)[1] + 1 for column in X.T]
        self.rows = np.column_stack(numbered).astype(np.int64)
        self.labels = y
        self.n_classes = int(y.max()) + 1
        self.n_features = X.shape[1]
        self.observation_space = spaces.MultiDiscrete(self.rows.max(axis=0) + 1)
        self.action_space = spaces.Discrete(self.n_classes + self.n_features)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        super().reset(seed=seed, options=options)
        self.row = int(self.np_random.integers(len(self.rows)))
        self.known = np.zeros(self.n_features, dtype=np.int64)
        self.steps = 0
        return self.known.copy(), {}

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """A feature asked for again costs its price and tells nothing new."""
        self.steps += 1
        if action < self.n_classes:
            reward = RIGHT if action == self.labels[self.row] else WRONG
            return self.known.copy(), reward, True, False, {}
        feature = int(action) - self.n_classes
        self.known[feature] = self.rows[self.row, feature]
        return self.known.copy(), TEST, self.steps > self.n_features, False, {}

    def action_masks(self) -> np.ndarray:
        """Which actions the state admits: classes, and features not yet asked for."""
        return np.append(np.ones(self.n_classes, dtype=bool), self.known == 0)
