"""Custard: a deep agent learns to act in the IBMDP; what it does for every answer is a tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from treefront.tree import LEAF, Tree

if TYPE_CHECKING:  # the pages are written without Gymnasium
    from benchmarks.paper.ibmdp import IterativeBounding

POINTS = 20  # of a learning curve
COPIES = 16  # of the environment at once
Values = Callable[[np.ndarray], np.ndarray]  # bounds -> worth of every action
Setting = dict[str, Any]  # parameters of an agent that are not the library's defaults

# What is tried for Figure 4's example, as many for each agent. The first are the defaults; those of
# DQN explore a tenth of the time and learn for games, a small tree asks for less patience. PPO's
# second thoughts are a price on certainty, so that tests are tried that cost before they pay.
QUICK = {"learning_rate": 1e-3, "target_update_interval": 200}
LONG = {"exploration_fraction": 0.5, "exploration_final_eps": 0.1}
SETTINGS: dict[str, tuple[Setting, ...]] = {
    "DQN": (
        {},
        {"learning_rate": 1e-3},
        QUICK,
        LONG,
        QUICK | LONG,
        QUICK | LONG | {"batch_size": 128, "train_freq": 2},
    ),
    "PPO": (
        {},
        {"learning_rate": 1e-3},
        {"ent_coef": 0.05},
        {"ent_coef": 0.2},
        {"learning_rate": 1e-3, "ent_coef": 0.05, "batch_size": 256, "gae_lambda": 1.0},
        {"learning_rate": 1e-3, "ent_coef": 0.2, "n_steps": 512 // COPIES},
    ),
}


def learn(
    env: IterativeBounding, agent: str, setting: Setting, steps: int, seed: int
) -> list[tuple[int, Tree]]:
    """The tree of the agent's policy, at some points of its training."""
    import torch
    from stable_baselines3.common.callbacks import BaseCallback

    torch.set_num_threads(1)
    model = (dqn if agent == "DQN" else ppo)(env, setting, steps, seed)
    values = worth(model, agent)
    found: list[tuple[int, Tree]] = []

    class Watch(BaseCallback):
        def _on_step(self) -> bool:
            if self.num_timesteps * POINTS >= (len(found) + 1) * steps and len(found) < POINTS:
                found.append((self.num_timesteps, extract(env, values)))
            return True

    model.learn(steps, callback=Watch())
    # Agents learn after the steps they collect: the last tree is that of the end.
    return [*found[:-1], (steps, extract(env, values))]


def dqn(env: IterativeBounding, setting: Setting, steps: int, seed: int) -> Any:
    """As many updates per step as with one environment; memory that would never fill is not had."""
    from stable_baselines3 import DQN

    from benchmarks.paper.many import Many

    options: Setting = {"buffer_size": min(1_000_000, steps)} | setting
    updates = COPIES // options.pop("train_freq", 4)
    options |= {"train_freq": 1, "gradient_steps": updates, "seed": seed, "device": "cpu"}
    options["policy_kwargs"] = {"optimizer_kwargs": {"fused": True}}  # the same steps, faster
    return DQN("MlpPolicy", Many(env, COPIES), **options)


def ppo(env: IterativeBounding, setting: Setting, steps: int, seed: int) -> Any:  # noqa: ARG001
    """The default's 2048 steps between two updates."""
    from stable_baselines3 import PPO

    from benchmarks.paper.many import Many

    options = {"n_steps": 2048 // COPIES, "seed": seed, "device": "cpu"} | setting
    return PPO("MlpPolicy", Many(env, COPIES), **options)


def worth(model: Any, agent: str) -> Values:
    """Q-values, or the probabilities of actions."""
    import torch

    def values(bounds: np.ndarray) -> np.ndarray:
        known = torch.as_tensor(bounds.reshape(1, -1))
        with torch.no_grad():
            if agent != "PPO":
                found = model.q_net(known)
            else:
                found = model.policy.get_distribution(known).distribution.probs
        return np.asarray(found)[0]

    return values


def extract(env: IterativeBounding, values: Values) -> Tree:
    """The tree of the policy that takes the best action; after `max_tests` the best class.

    A test that all rows of a node answer alike is no node of the tree, but narrows what is known.
    """
    from benchmarks.paper.ibmdp import narrowed, unknown

    nodes: dict[str, list[Any]] = {
        name: [] for name in ("feature", "threshold", "left", "right", "value", "decision")
    }

    def add(rows: np.ndarray, bounds: np.ndarray, made: int) -> int:
        worths = values(bounds)
        action = int(np.argmax(worths))
        if action < env.n_classes or made == env.max_tests:
            return leaf(rows, int(np.argmax(worths[: env.n_classes])))
        feature, threshold = env.test(action, bounds)
        passes = env.rows[rows, feature] <= threshold
        if passes.all() or not passes.any():
            return add(rows, narrowed(bounds, feature, threshold, bool(passes.all())), made + 1)
        node = place(rows, feature, between(env, rows, feature, passes), 0)
        for side, answer in (("left", True), ("right", False)):
            below = narrowed(bounds, feature, threshold, answer)
            nodes[side][node] = add(rows[passes == answer], below, made + 1)
        return node

    def leaf(rows: np.ndarray, label: int) -> int:
        return place(rows, LEAF, np.nan, label)

    def place(rows: np.ndarray, feature: int, threshold: float, label: int) -> int:
        counts = np.bincount(env.labels[rows], minlength=env.n_classes)
        row = (feature, threshold, LEAF, LEAF, counts, label)
        for name, cell in zip(nodes, row, strict=True):
            nodes[name].append(cell)
        return len(nodes["feature"]) - 1

    add(np.arange(len(env.rows)), unknown(env.n_features), 0)
    counts = np.array(nodes["value"], dtype=float)
    right = counts[np.arange(len(counts)), nodes["decision"]]
    return Tree.from_nodes(
        nodes | {"n_rows": counts.sum(axis=1), "loss": counts.sum(axis=1) - right},
        classes=np.arange(env.n_classes),
        n_features=env.n_features,
    )


def between(env: IterativeBounding, rows: np.ndarray, feature: int, passes: np.ndarray) -> float:
    """A threshold in the data's own units, midway between the two sides of a node.

    The agent's own threshold is a float32 of scaled rows; between the same two values any other
    divides the training rows alike.
    """
    values = env.low[feature] + env.span[feature] * env.rows[rows, feature].astype(float)
    return float((values[passes].max() + values[~passes].min()) / 2)
