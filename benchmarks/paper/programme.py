"""A mixed integer programme, put together by names and solved by HiGHS."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Terms = Iterable[tuple[float, Any]]  # factors and variables: one index, or an array of them


@dataclass(frozen=True)
class Solution:
    """The best found in time; without one `x` is None."""

    x: np.ndarray | None
    proved: bool
    objective: float
    bound: float  # no solution is better


@dataclass
class Programme:
    """Minimise the cost, a whole number; variables are between 0 and their upper bound."""

    upper: list[float] = field(default_factory=list)
    whole: list[bool] = field(default_factory=list)
    cost: list[float] = field(default_factory=list)
    entries: list[tuple[int, int, float]] = field(default_factory=list)
    at_most: list[float] = field(default_factory=list)
    at_least: list[float] = field(default_factory=list)
    start: dict[int, float] = field(default_factory=dict)

    def variables(
        self, *shape: int, whole: bool = False, upper: float = 1.0, cost: float = 0.0
    ) -> np.ndarray:
        """An array of new variables' indices."""
        count = int(np.prod(shape))
        first = len(self.upper)
        self.upper += [upper] * count
        self.whole += [whole] * count
        self.cost += [cost] * count
        return np.arange(first, first + count).reshape(shape)

    def add(self, terms: Terms, low: float = -np.inf, high: float = np.inf) -> None:
        """The constraint ``low <= sum of terms <= high``."""
        row = len(self.at_most)
        for factor, indices in terms:
            self.entries += [(row, int(index), factor) for index in np.ravel(indices)]
        self.at_least.append(low)
        self.at_most.append(high)

    def begin(self, index: int, value: float = 1.0) -> None:
        """A variable's value in the solution to start from; those not named are 0."""
        self.start[int(index)] = value

    def solve(self, time_limit: float) -> Solution:
        """One thread; a start given is the first solution."""
        import highspy

        solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        solver.setOptionValue("threads", 1)
        solver.setOptionValue("time_limit", float(time_limit))
        # Costs are whole numbers of rows: within less than one of the bound is optimal.
        solver.setOptionValue("mip_abs_gap", 1 - 1e-3)
        solver.setOptionValue("mip_rel_gap", 0.0)
        solver.passModel(self._model(highspy))
        if self.start:
            given = highspy.HighsSolution()
            values = np.zeros(len(self.upper))
            values[list(self.start)] = list(self.start.values())
            given.col_value = values
            solver.setSolution(given)
        solver.run()
        info = solver.getInfo()
        found = info.primal_solution_status == highspy.SolutionStatus.kSolutionStatusFeasible
        return Solution(
            x=np.array(solver.getSolution().col_value) if found else None,
            proved=solver.getModelStatus() == highspy.HighsModelStatus.kOptimal,
            objective=float(info.objective_function_value),
            bound=float(info.mip_dual_bound),
        )

    def _model(self, highspy: Any) -> Any:
        from scipy.sparse import coo_array

        rows, columns, factors = zip(*self.entries, strict=True)
        shape = (len(self.at_most), len(self.upper))
        matrix = coo_array((factors, (rows, columns)), shape=shape).tocsc()
        model = highspy.HighsLp()
        model.num_row_, model.num_col_ = shape
        model.col_cost_ = np.array(self.cost)
        model.col_lower_ = np.zeros(len(self.upper))
        model.col_upper_ = np.array(self.upper)
        model.row_lower_ = np.array(self.at_least)
        model.row_upper_ = np.array(self.at_most)
        model.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        model.a_matrix_.start_ = matrix.indptr
        model.a_matrix_.index_ = matrix.indices
        model.a_matrix_.value_ = matrix.data
        kinds = highspy.HighsVarType
        model.integrality_ = [kinds.kInteger if w else kinds.kContinuous for w in self.whole]
        return model
