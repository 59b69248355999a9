"""Many episodes of the iterative bounding MDP at once, for agents that learn from batches.

The steps of ibmdp.py over arrays: one call of the agent's network serves all episodes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from benchmarks.paper.ibmdp import RIGHT, TEST, WRONG, IterativeBounding, unknown


class Many(VecEnv):
    """`count` copies of an environment whose observations are bounds alone."""

    def __init__(self, env: IterativeBounding, count: int) -> None:
        if env.see_row:
            raise ValueError("Many: the observation must be the bounds alone; set see_row=False")
        self.env = env
        self.start = unknown(env.n_features)
        self.each = np.arange(count)
        self.random = np.random.default_rng()
        super().__init__(count, env.observation_space, env.action_space)

    def seed(self, seed: int | None = None) -> list[int | None]:
        self.random = np.random.default_rng(seed)
        return [seed] * self.num_envs

    def reset(self) -> np.ndarray:
        self.row = self.random.integers(len(self.env.rows), size=self.num_envs)
        self.bounds = np.tile(self.start, (self.num_envs, 1, 1))
        self.steps = np.zeros(self.num_envs, dtype=int)
        return self.bounds.reshape(self.num_envs, -1).copy()

    def step_async(self, actions: np.ndarray) -> None:
        self.actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Episodes that end begin anew at once; what they ended with is in the infos."""
        env, actions = self.env, self.actions
        self.steps += 1
        names = actions < env.n_classes
        late = ~names & (self.steps > env.max_tests)
        done = names | late
        rewards = np.full(self.num_envs, TEST, dtype=np.float32)
        rewards[names] = np.where(actions[names] == env.labels[self.row[names]], RIGHT, WRONG)
        rewards[late] = WRONG
        tests = np.flatnonzero(~done)
        feature, place = np.divmod(actions[tests] - env.n_classes, env.n_tests)
        low, high = self.bounds[tests, 0, feature], self.bounds[tests, 1, feature]
        share = ((place + 1) / (env.n_tests + 1)).astype(np.float32)
        threshold = share * (high - low) + low
        passes = env.rows[self.row[tests], feature] <= threshold
        self.bounds[tests, passes.astype(int), feature] = threshold
        infos: list[dict[str, Any]] = [{} for _ in self.each]
        ended = np.flatnonzero(done)
        for at in ended:
            infos[at] = {
                "terminal_observation": self.bounds[at].ravel().copy(),
                "TimeLimit.truncated": False,
            }
        self.bounds[ended] = self.start
        self.steps[ended] = 0
        self.row[ended] = self.random.integers(len(env.rows), size=len(ended))
        return self.bounds.reshape(self.num_envs, -1).copy(), rewards, done, infos

    def close(self) -> None:
        """Nothing is open."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self.env, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise NotImplementedError("Many: the copies share one environment")

    def env_method(
        self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any
    ) -> list[Any]:
        method = getattr(self.env, method_name)
        return [method(*method_args, **method_kwargs) for _ in self._get_indices(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:  # noqa: ARG002
        return [False for _ in self._get_indices(indices)]
