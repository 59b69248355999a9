"""Figure 4 and Table 1's Custard columns: deep reinforcement learning in the IBMDP."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks import problems, results
from benchmarks.adapters.clock import Clock
from benchmarks.paper import agents, isolated, pages
from benchmarks.paper.log import Log, Row, Task
from benchmarks.paper.settings import Settings

SHOWS = ("figure4", "table1")
NEEDS = ("gymnasium", "stable_baselines3", "torch")
NAMES = ("data", "agent", "seed")
EXAMPLE = "example"
DEPTH = {EXAMPLE: 2}  # else 3
CUSTARD = {"Custard-5": 5, "Custard-3": 3}  # thresholds that DQN may test per feature
ALGORITHMS = ("DQN", "PPO")
TUNED = {algorithm: f"{algorithm}, tuned" for algorithm in ALGORITHMS}
LONG = {algorithm: f"{algorithm}, long" for algorithm in ALGORITHMS}  # with defaults
FIRST_TRIAL = 100  # seeds from here on choose among the settings; those below tell what came out


def tasks(settings: Settings, log: Log) -> Iterator[Task]:
    steps = settings.example_steps
    for algorithm in ALGORITHMS:
        for place in range(len(agents.SETTINGS[algorithm]))[: settings.example_settings]:
            for seed in range(FIRST_TRIAL, FIRST_TRIAL + settings.example_trials):
                fit = partial(trained, EXAMPLE, algorithm, place, seed, steps)
                yield Task((EXAMPLE, tried(algorithm, place), str(seed)), fit, budget=steps)
    for seed in range(settings.example_runs):
        for algorithm in ALGORITHMS:
            key = (EXAMPLE, TUNED[algorithm], str(seed))
            yield Task(key, partial(tuned, log, algorithm, seed, steps), budget=steps)
    steps = settings.example_long_steps
    for seed in range(settings.example_long_runs):
        for algorithm in ALGORITHMS:
            fit = partial(trained, EXAMPLE, algorithm, 0, seed, steps)
            yield Task((EXAMPLE, LONG[algorithm], str(seed)), fit, budget=steps)
    steps = settings.custard_steps
    for seed in range(settings.custard_runs):
        for data in settings.custard_data:
            for agent in CUSTARD:
                fit = partial(trained, data, agent, 0, seed, steps)
                yield Task((data, agent, str(seed)), fit, budget=steps)


def tried(algorithm: str, place: int) -> str:
    return f"{algorithm}, setting {place}"


# What the page calls them, and their name in the log.
ON_EXAMPLE = {algorithm: tried(algorithm, 0) for algorithm in ALGORITHMS}
ON_EXAMPLE |= {name: name for name in (*TUNED.values(), *LONG.values())}


def tuned(log: Log, algorithm: str, seed: int, steps: int) -> list[Row]:
    """The setting that did best in the trials, which are done before."""
    return trained(EXAMPLE, algorithm, best_setting(log, algorithm), seed, steps)


def best_setting(log: Log, algorithm: str) -> int:
    """By the mean accuracy of the trees at the end; at a tie by that over all of the training."""

    def quality(place: int) -> tuple[float, float]:
        agent = tried(algorithm, place)
        ends = accuracies(last(log, EXAMPLE, agent))
        return float(np.mean(ends)), float(np.mean(accuracies(log.of(EXAMPLE, agent))))

    places = range(len(agents.SETTINGS[algorithm]))
    return max((place for place in places if log.of(EXAMPLE, tried(algorithm, place))), key=quality)


def trained(data: str, agent: str, setting: int, seed: int, steps: int) -> list[Row]:
    arguments = {"data": data, "agent": agent, "setting": setting, "seed": seed, "steps": steps}
    found, ended = isolated.rows("benchmarks.paper.custard:curve", arguments, limit=7200)
    if ended != "ok":
        found = [*found, {"status": ended}]
    return [{"status": "ok"} | row | {"ended": False} for row in found]


def curve(data: str, agent: str, setting: int, seed: int, steps: int) -> Iterator[Row]:
    """In the child: accuracy of the tree extracted, at some points of the training."""
    from benchmarks.paper.ibmdp import IterativeBounding

    X, y, X_test, y_test = rows_of(data)
    env = IterativeBounding(X, y, CUSTARD.get(agent, 1), DEPTH.get(data, 3))
    algorithm = "DQN" if agent in CUSTARD else agent
    options = agents.SETTINGS[algorithm][setting]
    with Clock() as clock:
        found = agents.learn(env, algorithm, options, steps, seed)
    for done, tree in found:
        yield {
            "setting": setting,
            "steps": done,
            "leaves": tree.n_leaves,
            "train_tests": tree.mean_tests,
            "train_accuracy": float(np.mean(tree.predict(X) == y)),
            "test_accuracy": float(np.mean(tree.predict(X_test) == y_test)),
            "seconds": clock.seconds,
        }


def rows_of(data: str) -> tuple[np.ndarray, ...]:
    if data == EXAMPLE:
        from benchmarks.paper.pictures import EXAMPLE as ROWS

        return *ROWS, *ROWS
    return *problems.load({"name": data}), *problems.test_part(data)


# ---- pages ----


def last(log: Log, data: str, agent: str) -> list[dict[str, str]]:
    """The end of every run."""
    seeds = sorted({row["seed"] for row in log.of(data, agent)})
    ends = [log.of(data, agent, seed)[-1] for seed in seeds]
    return [row for row in ends if row["status"] == "ok"]


def accuracies(rows: list[dict[str, str]]) -> list[float]:
    return [float(row["train_accuracy"]) for row in rows]


def write(log: Log, settings: Settings) -> None:
    names = [data for data in problems.NAMES if log.of(data)]
    budgets = sorted({f"{float(row['budget']):,.0f}" for row in log.rows if row["data"] in names})
    parts = [
        (
            "Custard: DQN of stable-baselines3 with its defaults in the IBMDP of Appendix G.1 "
            "(rewards 1 and -1 for a class, -0.01 for a test, at most as many tests as the tree "
            "is deep), with 5 or 3 thresholds per feature; the tree is what its greedy policy "
            f"does, with the best class at the depth of the tree. {agents.COPIES} episodes run at "
            "once, with as many updates per step as with one. Mean and standard deviation of the "
            "training accuracy over the runs, in per cent, the paper's in brackets."
        ),
        (
            "What differs from the paper: its horizon is infinite and its agents may test without "
            "end, here one test too many is a wrong class, and the tree gets a class there. How "
            "many tests were made is no part of what the agent sees, so that its process is not "
            "quite Markov. That episodes end is the likely cause where trees are better than the "
            "paper's after fewer seconds."
        ),
        f"Training steps here: {', '.join(budgets)}."
        + ("" if names == list(problems.NAMES) else f" **{len(names)} of 16 data sets measured.**"),
        table(log, names),
        "## Figure 4: four rows, four classes, depth 2",
        (
            f"Both agents tried {settings.example_settings} settings (agents.py; the first are "
            f"the defaults), {settings.example_trials} runs each. The best one was run again with "
            "other seeds: these runs are the tuned agents below. `n_steps` is of each of the "
            f"{agents.COPIES} episodes. Long: with defaults, {settings.example_long_steps:,} steps."
        ),
        example(log),
        "Runs of the trials that found the optimum, by setting:",
        trials(log),
        "![Figure 4](figure4.png)",
    ]
    pages.write(settings, "custard", "Custard: deep reinforcement learning", parts, log.rows)
    draw(log, settings, names)


def table(log: Log, names: list[str]) -> str:
    paper = pages.published(1)
    lines = []
    for data in names:
        line = [data]
        for agent, goal in (("Custard-5", "custard5"), ("Custard-3", "custard3")):
            rows = last(log, data, agent)
            if not rows:
                line += ["–", "–", "–"]
                continue
            found = 100 * np.array(accuracies(rows))
            theirs = f"{paper[data][goal]} ± {paper[data][f'{goal}_sd']}"
            seconds = np.mean([float(row["seconds"]) for row in rows])
            line += [f"{found.mean():.1f} ± {found.std():.1f} ({theirs})", str(len(rows))]
            line.append(pages.timed(float(seconds), paper[data][f"{goal}_s"]))
        lines.append([*line, pages.plain(paper[data]["greedy"]), constant(data)])
    header = ["data"]
    for agent in CUSTARD:
        header += [agent, "runs", "seconds"]
    return results.table([*header, "CART (paper)", "largest class"], lines)


def constant(data: str) -> str:
    _, y = problems.load({"name": data})
    return pages.percent(float(np.bincount(y).max()) / len(y))


def example(log: Log) -> str:
    lines = []
    for agent, name in ON_EXAMPLE.items():
        rows = last(log, EXAMPLE, name)
        if not rows:
            continue
        found = accuracies(rows)
        best = found.count(1.0)
        steps = sorted({f"{int(row['steps']):,}" for row in rows})
        cells = [", ".join(f"{100 * value:.0f}" for value in found), f"{best} of {len(found)}"]
        setting = ", ".join(sorted({row["setting"] for row in rows}))
        lines.append([agent, setting, *cells, ", ".join(steps)])
    header = ["agent", "setting", "training accuracy at the end, each run", "found the optimum"]
    header += ["steps"]
    return results.table(header, lines)


def trials(log: Log) -> str:
    lines = []
    for algorithm in ALGORITHMS:
        for place, setting in enumerate(agents.SETTINGS[algorithm]):
            found = accuracies(last(log, EXAMPLE, tried(algorithm, place)))
            if found:
                best = f"{found.count(1.0)} of {len(found)}"
                text = ", ".join(f"{name} {value:g}" for name, value in setting.items())
                mean = f"{100 * float(np.mean(found)):.0f}"
                lines.append([f"{algorithm}, {place}", text or "defaults", mean, best])
    header = ["setting", "what is not the default", "training accuracy", "found the optimum"]
    return results.table(header, lines)


def draw(log: Log, settings: Settings, names: list[str]) -> None:
    short = {label: name for label, name in ON_EXAMPLE.items() if name not in LONG.values()}
    panels = [
        ("Figure 4's example", EXAMPLE, short),
        ("the example, defaults, longer", EXAMPLE, {name: name for name in LONG.values()}),
        *((data, data, {agent: agent for agent in CUSTARD}) for data in names),
    ]
    panels = [
        (title, data, shown)
        for title, data, shown in panels
        if any(log.of(data, agent) for agent in shown.values())
    ]
    columns = min(3, len(panels))
    lines = -(-len(panels) // columns)
    plt = pages.pyplot()
    figure, axes = plt.subplots(
        lines, columns, figsize=(4 * columns, 3 * lines), layout="constrained", squeeze=False
    )
    for ax in axes.flat[len(panels) :]:
        ax.set_visible(False)
    for ax, (title, data, shown) in zip(axes.flat, panels, strict=False):
        for colour, (label, agent) in enumerate(shown.items()):
            curves(ax, log, data, agent, label, f"C{colour}")
        if data != EXAMPLE:
            greedy: Any = pages.published(1)[data]["greedy"]
            ax.axhline(greedy, color="0.5", ls="--", lw=1, label="CART")
        ax.set_title(title, fontsize=10)
        ax.set_ylim(0, 104)  # one scale, so that what barely moves looks so
        ax.xaxis.set_major_formatter(lambda steps, _: f"{steps / 1000:g}k")
        ax.tick_params(labelsize=8)
        ax.spines[["top", "right"]].set_visible(False)
        ax.legend(fontsize=8, frameon=False, loc="best")
    figure.supxlabel("training steps", fontsize=9)
    figure.supylabel("training accuracy of the tree (%)", fontsize=9)
    pages.save(settings, "figure4", figure)


def curves(ax: Any, log: Log, data: str, agent: str, label: str, colour: str) -> None:
    """One line per run."""
    for number, seed in enumerate(sorted({row["seed"] for row in log.of(data, agent)})):
        rows = [row for row in log.of(data, agent, seed) if row["status"] == "ok"]
        x = [int(row["steps"]) for row in rows]
        y = [100 * float(row["train_accuracy"]) for row in rows]
        ax.plot(x, y, colour, lw=1, alpha=0.7, label=label if number == 0 else None)
