"""The page and the figure of results/anytime.*, from the rows of results/anytime.csv alone."""

from __future__ import annotations

from benchmarks import results

Rows = list[dict[str, str]]
CHECKED = (1.0, 5.0, 20.0)


def number(row: dict[str, str], column: str) -> float | None:
    return float(row[column]) if row.get(column) else None


def accuracies(rows: Rows, tool: str, data: str) -> dict[float, float]:
    """Training accuracy by limit."""
    return {
        float(row["limit"]): float(row["accuracy"])
        for row in rows
        if row["tool"] == tool and row["data"] == data and row["accuracy"]
    }


def best_cart(rows: Rows, data: str) -> float:
    found = [accuracies(rows, f"CART {criterion}", data) for criterion in ("gini", "entropy")]
    return max(max(by_limit.values(), default=0.0) for by_limit in found)


def parts(rows: Rows, curves: tuple[str, ...], still_open: tuple[str, ...], long: float):
    return [
        (
            "One thread, every fit alone in a process pinned to one core; the limits are "
            "wall-clock seconds. Training accuracy; CART is the better of Gini and entropy."
        ),
        "![error against time](anytime.png)",
        "## After 1, 5 and 20 seconds",
        stopped(rows, curves),
        f"## After {long:g} seconds",
        (
            "`errors` and `bound`: training errors of the best tree, and what no tree of this "
            "depth can be below. pycontree gives no bound."
        ),
        gaps(rows, still_open, long),
    ]


def stopped(rows: Rows, curves: tuple[str, ...]) -> str:
    header = ["data", "CART"]
    header += [f"{tool} {limit:g} s" for limit in CHECKED for tool in ("treefront", "pycontree")]
    lines = []
    for data in curves:
        cart = best_cart(rows, data)
        line = [data, f"{cart:.2%}"]
        for limit in CHECKED:
            ours = accuracies(rows, "treefront", data).get(limit)
            theirs = accuracies(rows, "pycontree", data).get(limit)
            short = ours is not None and ours < max(cart, theirs or 0.0)
            line.append("–" if ours is None else f"{ours:.2%}" + (" **short**" if short else ""))
            line.append("–" if theirs is None else f"{theirs:.2%}")
        lines.append(line)
    return results.table(header, lines)


def gaps(rows: Rows, still_open: tuple[str, ...], long: float) -> str:
    header = ["data", "treefront", "seconds", "errors", "bound", "gap", "pycontree", "errors"]
    found = {(row["tool"], row["data"]): row for row in rows if float(row["limit"]) == long}
    lines = []
    for data in still_open:
        ours, theirs = (found.get((tool, data), {}) for tool in ("treefront", "pycontree"))
        line = [data]
        n_rows = number(ours, "rows") or number(theirs, "rows") or 0
        for row in (ours, theirs):
            accuracy = number(row, "accuracy")
            if accuracy is None:
                line += ["–"] * (5 if row is ours else 2)
                continue
            errors = round((1 - accuracy) * n_rows)
            line.append(f"{accuracy:.2%}")
            if row is ours:
                bound = round((number(row, "lower_bound") or 0.0) * n_rows)
                line += [results.seconds(number(row, "wall_seconds")), str(errors), str(bound)]
                line.append(f"{(errors - bound) / n_rows:.2%}" if errors > bound else "proved")
            else:
                line.append(str(errors))
        lines.append(line)
    return results.table(header, lines)


def plot(rows: Rows, curves: tuple[str, ...]) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, len(curves), figsize=(3 * len(curves), 3), layout="constrained")
    for ax, data in zip(axes, curves, strict=True):
        for tool, style in (("treefront", "C0o-"), ("pycontree", "C1s-")):
            found = sorted(accuracies(rows, tool, data).items())
            found = [(limit, 100 * (1 - accuracy)) for limit, accuracy in found if limit <= 60]
            if found:
                ax.plot(*zip(*found, strict=True), style, markersize=3, label=tool)
        ax.axhline(100 * (1 - best_cart(rows, data)), color="0.5", ls="--", lw=1, label="CART")
        ax.set(xscale="log", xlabel="seconds", title=data)
    axes[0].set_ylabel("training error (%)")
    axes[0].legend(frameon=False)
    figure.savefig(results.FOLDER / "anytime.png", dpi=120)
    plt.close(figure)
