"""What is to be predicted: labels or numbers, checked and cast here, once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils.validation import check_array

from treefront import labels

Floats = NDArray[np.float64]

LARGEST_SUM = 4e307  # of squares


@dataclass(frozen=True)
class Classes:
    """Labels to predict."""

    codes: NDArray[np.int32]  # (n,), in [0, n_classes)
    classes: labels.Labels  # (n_classes,), sorted
    loss_weight: Floats | None = None  # (n,), price of a wrong prediction; None: the weight
    costs: Floats | None = None  # (n, n_classes), price of every prediction by unit of weight
    # Of two classes: the share of the second up to which the first is predicted.
    border: float = 0.5

    loss_unit = 1.0

    def for_core(self) -> dict[str, Any]:
        """Arguments of the core's search."""
        return {
            "y": self.codes,
            "n_classes": len(self.classes),
            "loss_weight": self.loss_weight,
            "numbers": self.costs,
            "costs": self.costs is not None,
        }

    @property
    def loss_name(self) -> str:
        """What losses count."""
        return "error_rate" if self.loss_weight is None and self.costs is None else "cost"

    @property
    def n_values(self) -> int:
        """Numbers that a leaf predicts: a share of every class but one."""
        return len(self.classes) - 1

    def per_unit(self, weight_unit: float) -> Classes:
        """The same with weights divided by a unit."""
        if self.loss_weight is None:
            return self
        return replace(self, loss_weight=self.loss_weight / weight_unit)

    def of_rows(self, rows: NDArray[np.intp], _weight: Floats | None) -> Classes:
        """Targets of some rows; all classes stay, also those that these rows lack."""
        return replace(
            self,
            codes=self.codes[rows],
            loss_weight=None if self.loss_weight is None else self.loss_weight[rows],
            costs=None if self.costs is None else self.costs[rows],
        )

    @property
    def y(self) -> labels.Labels:
        """What `fit` was given, for those rows."""
        return self.classes[self.codes]


@dataclass(frozen=True)
class Numbers:
    """Numbers to predict, moved and scaled so that sums of squares neither vanish nor overflow."""

    scaled: Floats  # (n, n_outputs), in [-1, 1]
    offset: Floats  # (n_outputs,)
    scale: float
    absolute: bool = False  # whether the loss is the distance, not its square

    def for_core(self) -> dict[str, Any]:
        """Arguments of the core's search."""
        one_class = np.zeros(len(self.scaled), dtype=np.int32)
        how = {"numbers": self.scaled, "absolute": self.absolute}
        return {"y": one_class, "n_classes": 1, **how}

    @property
    def loss_name(self) -> str:
        """What losses count."""
        return "absolute_error" if self.absolute else "squared_error"

    @property
    def n_values(self) -> int:
        """Numbers that a leaf predicts."""
        return int(self.scaled.shape[1])

    def per_unit(self, _weight_unit: float) -> Numbers:
        """The same: numbers do not depend on weights."""
        return self

    def of_rows(self, rows: NDArray[np.intp], weight: Floats | None) -> Numbers:
        """Targets of some rows, moved and scaled anew: they may lack what made the scale."""
        return encode_numbers(self.in_units(self.scaled[rows]), weight, absolute=self.absolute)[0]

    @property
    def loss_unit(self) -> float:
        """Error of one scaled unit."""
        return self.scale if self.absolute else self.scale**2

    @property
    def y(self) -> Floats:
        """What `fit` was given, for those rows."""
        y: Floats = self.in_units(self.scaled)
        return y[:, 0] if y.shape[1] == 1 else y

    def in_units(self, scaled: Floats) -> Floats:
        """Back in the units of y."""
        return scaled * self.scale + self.offset


def encode_classes(target: labels.Labels, weight: Floats | None) -> tuple[Classes, Floats | None]:
    """Labels as codes."""
    classes, codes = labels.encode(target)
    return Classes(codes, classes), weight


def as_numbers(y: ArrayLike) -> Floats:
    """Numbers to predict: (n,) or (n, n_outputs).

    Raises
    ------
    ValueError
        Missing, infinite or no numbers.
    """
    numbers: Floats = check_array(
        y, ensure_2d=False, dtype=np.float64, ensure_all_finite=False, input_name="y"
    )
    if numbers.ndim not in (1, 2):
        raise ValueError(f"y must have one or two dimensions, got {numbers.ndim}")
    bad = ~np.isfinite(numbers)
    if bad.any():
        row = int(np.argwhere(bad)[0][0])
        raise ValueError(f"Input y contains NaN or infinity: the target of row {row}")
    return numbers


def encode_numbers(
    target: Floats, weight: Floats | None, *, absolute: bool = False
) -> tuple[Numbers, Floats | None]:
    """Targets around their mean, the largest at a distance of 1; `absolute` says which loss."""
    numbers = target.reshape(len(target), -1)
    # Halves, since the difference of two finite numbers may be infinite.
    middle = numbers.min(axis=0) / 2 + numbers.max(axis=0) / 2
    scale = float(np.abs(numbers / 2 - middle / 2).max()) * 2
    if scale == 0 or not np.isfinite(scale):
        scale = 1.0
    if not scale < (LARGEST_SUM / numbers.size) ** 0.5:
        raise ValueError(
            f"y spans {2 * scale:.3g}: squared errors of such numbers overflow; divide y first"
        )
    scaled = numbers / scale - middle / scale
    mean = np.average(scaled, axis=0, weights=weight)
    return Numbers(scaled - mean, middle + mean * scale, scale, absolute), weight


def check_numbers(y: ArrayLike, n_rows: int) -> Floats:
    """Targets that predictions are compared with.

    Raises
    ------
    ValueError
        As in `as_numbers`, or another number of them.
    """
    numbers = as_numbers(y)
    if len(numbers) != n_rows:
        raise ValueError(f"X has {n_rows} rows, y has {len(numbers)}")
    return numbers


def check_scored(y: ArrayLike, classes: labels.Labels, n_rows: int) -> NDArray[np.int64]:
    """Codes of the labels predictions are compared with; -1, always wrong, for one not in fit.

    Raises
    ------
    ValueError
        Labels that are missing or of another type than in fit, or another number of them.
    """
    codes = labels.codes_of(y, classes)
    if len(codes) != n_rows:
        raise ValueError(f"X has {n_rows} rows, y has {len(codes)}")
    return codes
