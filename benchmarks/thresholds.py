"""Readable thresholds: digits before and after, and what they do to the accuracy on test rows.

``python -m benchmarks.thresholds`` writes results/thresholds.md and results/thresholds.csv.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
from sklearn.model_selection import ShuffleSplit

from benchmarks import problems, results
from treefront import DPDTClassifier, Front

DEPTH = 4
SPLITS = 5  # random ones, besides the given split
MOST_ROWS = 20_000  # of a random split


def main() -> None:
    rows = [{"data": name} | measured(name) for name in problems.NAMES]
    results.write_rows("thresholds", rows)
    parts = page(rows)
    results.write_page("thresholds", "Thresholds that people can read", parts)
    print("\n\n".join(parts))


def measured(name: str) -> dict[str, Any]:
    """Mean over all trees of the front."""
    with np.load(problems.folder() / "quantbnb" / f"{name}.npz") as data:
        X, y = data["X_train"], data["y_train"]
        X_test, y_test = data["X_test"], data["y_test"]
    short, middle = fronts(X, y)
    X_all, y_all = np.concatenate([X, X_test]), np.concatenate([y, y_test])
    gains = [gain(short, middle, X_test, y_test)]
    n_train = min(MOST_ROWS, len(X_all) * 4 // 5)
    splits = ShuffleSplit(SPLITS, test_size=0.2, train_size=n_train, random_state=0)
    for train, test in splits.split(X_all):
        pair = fronts(X_all[train], y_all[train])
        gains.append(gain(*pair, X_all[test], y_all[test]))
    given, *random = gains
    return {
        "trees": len(short),
        "tests": sum(tree.n_leaves - 1 for tree in short),
        "moved": sum(
            int((a.apply(X) != b.apply(X)).sum()) for a, b in zip(short, middle, strict=True)
        ),
        "digits_midpoint": float(np.mean(digits(middle))),
        "digits_short": float(np.mean(digits(short))),
        "accuracy": float(np.mean(middle.score(X_test, y_test))),
        "gain": given,
        "random_gain": float(np.mean(random)),
        "random_error": float(np.std(random, ddof=1) / SPLITS**0.5),
    }


def fronts(X: np.ndarray, y: np.ndarray) -> tuple[Front, Front]:
    """With short thresholds and with midpoints."""
    short = DPDTClassifier(max_depth=DEPTH).fit(X, y).front_
    return short, DPDTClassifier(max_depth=DEPTH, thresholds="midpoint").fit(X, y).front_


def gain(short: Front, middle: Front, X: np.ndarray, y: np.ndarray) -> float:
    return float(np.mean(short.score(X, y) - middle.score(X, y)))


def digits(front: Front) -> list[int]:
    """Significant digits of the shortest decimals that read back as the thresholds."""
    return [
        len(Decimal(repr(threshold)).normalize().as_tuple().digits)
        for tree in front
        for threshold in tree.threshold[tree.feature >= 0].tolist()
    ]


def page(rows: Sequence[dict[str, Any]]) -> list[str]:
    header = ["data", "trees", "tests", "digits, midpoint", "digits, short", "rows moved"]
    header += ["test accuracy", "short: change", "short: change, random splits"]
    mean = {key: float(np.mean([row[key] for row in rows])) for key in rows[0] if key != "data"}
    error = float(np.std([row["random_gain"] for row in rows], ddof=1) / len(rows) ** 0.5)
    last = line({"data": "**mean**", **mean, "random_error": error})
    last[1:3], last[5] = ["", ""], str(sum(row["moved"] for row in rows))
    return [
        (
            f"All trees of the front of depth {DEPTH}, fitted with thresholds in the midpoint of "
            "their gap and with short ones (`thresholds=`). Digits: significant digits of the "
            "shortest decimal that reads back as the threshold, mean over all tests. Rows moved: "
            "training rows that reach another leaf, over all trees. Changes of the mean test "
            "accuracy of the trees, in points of a hundredth of a percent: on the given test "
            f"rows, and over {SPLITS} random splits of all rows (4 : 1, at most {MOST_ROWS:,} to "
            "train on) with the standard error."
        ),
        results.table(header, [*(line(row) for row in rows), last]),
    ]


def line(row: dict[str, Any]) -> list[str]:
    return [
        row["data"],
        str(row["trees"]),
        str(row["tests"]),
        f"{row['digits_midpoint']:.1f}",
        f"{row['digits_short']:.1f}",
        str(row["moved"]),
        f"{row['accuracy']:.2%}",
        f"{row['gain'] * 1e4:+.2f}",
        f"{row['random_gain'] * 1e4:+.2f} ± {row['random_error'] * 1e4:.2f}",
    ]


if __name__ == "__main__":
    main()
