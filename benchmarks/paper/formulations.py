"""Table 5: formulations of tree learning as an MDP, and that they run."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np

from benchmarks import problems, results
from benchmarks.paper import mdp, pages
from benchmarks.paper.log import Log, Row, Task, number
from benchmarks.paper.settings import Settings

SHOWS = ("table5",)
NEEDS = ("gymnasium",)
NAMES = ("formulation",)
DATA = "bank"
IBMDP, REVEALING, OURS = "IBMDP (Topin et al.)", "Garlapati et al.", "the paper's"
# The paper's table, transposed.
PROPERTIES = {
    IBMDP: ("any", "yes", "infinite", "part of one row", "tests and classes", "deterministic"),
    REVEALING: (
        *("categories", "yes", "finite", "part of one row"),
        *("tests left and classes", "deterministic"),
    ),
    OURS: ("any", "no", "finite", "a set of rows", "the state's tests and classes", "stochastic"),
}


def tasks(settings: Settings, log: Log) -> Iterator[Task]:  # noqa: ARG001
    yield Task((IBMDP,), partial(environment, IBMDP))
    yield Task((REVEALING,), partial(environment, REVEALING))
    yield Task((OURS,), ours)


def environment(name: str) -> Row:
    """Gymnasium's checker, then the mean reward of acting at random for a thousand episodes."""
    from gymnasium.utils.env_checker import check_env

    from benchmarks.paper.garlapati import Revealing
    from benchmarks.paper.ibmdp import IterativeBounding

    X, y = problems.load({"name": DATA})
    env: Any = IterativeBounding(X, y, 3, 3) if name == IBMDP else Revealing(np.round(4 * X), y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env, skip_render_check=True)
    env.action_space.seed(0)
    rewards = []
    for episode in range(1000):
        env.reset(seed=episode)
        total, over = 0.0, False
        while not over:
            _, reward, ended, cut, _ = env.step(int(env.action_space.sample()))
            total += reward
            over = ended or cut
        rewards.append(total)
    return {
        "checked": True,
        "observation": str(env.observation_space),
        "actions": int(env.action_space.n),
        "random_reward": float(np.mean(rewards)),
    }


def ours() -> Row:
    """The value of the first state must be the share of rows that the best tree has right.

    The one is of probabilities and rewards, the other of rows counted.
    """
    X, y = problems.load({"name": DATA})
    made = mdp.Mdp(mdp.Rows(X, y), 2, mdp.cart(2), keep=True)
    value, errors = made.value(made.root), made.best[made.root]
    if value != Fraction(len(y) - errors, len(y)):
        raise ArithmeticError(f"Table 5: value {value} of a tree with {errors} of {len(y)} errors")
    classes = len(made.rows.of_class)
    admitted = [classes + len(made.transitions.get(state, [])) for state in made.best]
    return {
        "checked": True,
        "observation": f"{made.n_states} states at depth 2 (DPDT-2)",
        "actions": f"{min(admitted)} to {max(admitted)} in a state",
        "value": float(value),
    }


def write(log: Log, settings: Settings) -> None:
    lines = []
    for name, properties in PROPERTIES.items():
        rows = log.of(name)
        row = rows[0] if rows else {}
        lines.append(
            [name, *properties, row.get("observation", "–"), row.get("actions", "") or "–"]
        )
    header = [
        "formulation",
        "features",
        "discounted",
        "horizon",
        "states",
        "actions",
        "transitions",
    ]
    header += [f"here, on {DATA}", "number of actions"]
    value = next((number(row, "value") for row in log.of(OURS)), None)
    parts = [
        (
            "The paper's Table 5, and what runs here: ibmdp.py (the horizon ends one step "
            "after the depth of the tree), garlapati.py (whose tests left are told by "
            "`action_masks`), mdp.py. The first two pass Gymnasium's checker. Of ours the value of "
            "the first state, which is of probabilities and rewards, must be the share of rows "
            "that the best tree has right"
            + (f" ({pages.percent(value, 2)} per cent)." if value else ".")
        ),
        results.table(header, lines),
    ]
    title = "Table 5: formulations as a Markov decision process"
    pages.write(settings, "table5", title, parts, log.rows)
