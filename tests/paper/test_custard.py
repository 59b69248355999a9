"""The environments keep Gymnasium's rules, and the tree taken from a policy acts as it does."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env

from benchmarks.paper.agents import extract
from benchmarks.paper.garlapati import Revealing
from benchmarks.paper.ibmdp import IterativeBounding, unknown


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    return X, (X[:, 0] + X[:, 1] > 0).astype(int) + (X[:, 2] > 1)


@pytest.mark.parametrize("see_row", [False, True])
def test_gymnasium_accepts_the_bounding_mdp(data, see_row):
    check_env(IterativeBounding(*data, n_tests=3, max_tests=2, see_row=see_row))


def test_gymnasium_accepts_the_revealing_mdp(data):
    X, y = data
    env = Revealing(np.round(X), y)
    check_env(env)
    env.reset(seed=1)
    env.step(env.n_classes + 1)
    assert env.action_masks().tolist() == [True] * env.n_classes + [True, False, True]


def test_an_episode_of_the_revealing_mdp_ends_after_its_horizon(data):
    X, y = data
    env = Revealing(np.round(X), y)
    env.reset(seed=1)
    ends = [env.step(env.n_classes + j % X.shape[1])[2] for j in range(X.shape[1] + 1)]
    assert ends == [False] * X.shape[1] + [True]


def test_bounds_always_hold_the_hidden_row(data):
    env = IterativeBounding(*data, n_tests=4, max_tests=6)
    rng = np.random.default_rng(1)
    for seed in range(30):
        env.reset(seed=seed)
        for _ in range(6):
            env.step(env.n_classes + int(rng.integers(3 * 4)))
            low, high = env.bounds
            assert (low <= env.rows[env.row]).all()
            assert (env.rows[env.row] <= high).all()


@pytest.mark.long  # loads a deep learning library
@pytest.mark.parametrize("n_tests", [1, 4])
def test_many_episodes_at_once_are_those_of_one_environment(data, n_tests):
    pytest.importorskip("stable_baselines3")
    from benchmarks.paper.many import Many

    env = IterativeBounding(*data, n_tests=n_tests, max_tests=3)
    twins = [IterativeBounding(*data, n_tests=n_tests, max_tests=3) for _ in range(5)]
    many = Many(env, len(twins))
    many.seed(3)
    seen = many.reset()
    rng = np.random.default_rng(2)
    for place, twin in enumerate(twins):
        twin.reset()
        twin.row = many.row[place]
    for _ in range(200):
        actions = rng.integers(env.action_space.n, size=len(twins))
        tests = env.n_classes + rng.integers(env.action_space.n - env.n_classes, size=len(twins))
        actions = np.where(rng.random(len(twins)) < 0.6, tests, actions)  # long episodes
        seen, rewards, done, infos = many.step(actions)
        for place, twin in enumerate(twins):
            found, reward, ended, cut, _ = twin.step(actions[place])
            assert rewards[place] == np.float32(reward)
            assert done[place] == (ended or cut)
            if done[place]:
                assert (infos[place]["terminal_observation"] == found).all()
                found, _ = twin.reset()
                twin.row = many.row[place]
            assert (seen[place] == found).all()


@pytest.mark.parametrize("seed", range(5))
def test_the_tree_predicts_what_the_policy_names(data, seed):
    X, y = data
    env = IterativeBounding(X, y, n_tests=3, max_tests=3)
    weights = np.random.default_rng(seed).normal(size=(6, env.action_space.n))

    def values(bounds):
        return np.cos(3 * bounds.ravel() @ weights)

    tree = extract(env, values)
    assert tree.depth <= 3
    predicted = tree.predict(X)
    for row in range(len(X)):
        env.reset()
        env.row, env.bounds = row, unknown(3)
        action = int(np.argmax(values(env.bounds)))
        for _ in range(3):
            if action < env.n_classes:
                break
            env.step(action)
            action = int(np.argmax(values(env.bounds)))
        if action >= env.n_classes:
            action = int(np.argmax(values(env.bounds)[: env.n_classes]))
        assert predicted[row] == action
