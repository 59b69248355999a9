"""Points in time: read from every kind of column, compared exactly, printed as dates."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest

from treefront import DPDTClassifier, DPDTRegressor, load, times

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

HOURS = pd.date_range("2021-03-01", periods=40, freq="7h")
Y = np.arange(40) > 17
RULE = "when <= 2021-03-06 02:30"


def frames():
    python = HOURS.to_pydatetime().tolist()
    yield "pandas", pd.DataFrame({"when": HOURS})
    yield "pandas ns", pd.DataFrame({"when": HOURS.as_unit("ns")})
    yield "pandas NaT", pd.DataFrame({"when": [*HOURS[:-1], pd.NaT]})
    yield "objects", pd.DataFrame({"when": python}, dtype=object)
    yield "polars", pl.DataFrame({"when": python})
    yield "polars null", pl.DataFrame({"when": [*python[:-1], None]})
    yield "polars ms", pl.DataFrame({"when": python}).cast(pl.Datetime("ms"))
    pa = pytest.importorskip("pyarrow")
    yield "Arrow", pa.table({"when": [*python[:-1], None]})
    yield "Arrow in pandas", pd.DataFrame({"when": HOURS.astype("timestamp[us][pyarrow]")})


@pytest.mark.parametrize(("name", "X"), list(frames()))
def test_every_library(name, X):
    model = DPDTClassifier(max_depth=1).fit(X, Y)
    assert model.times_ == model.tree_.times == ("naive",)
    assert f"if {RULE}: False" in str(model.tree_)
    assert (model.predict(X) == Y).all()
    assert (model.front_.predict(X)[-1] == Y).all()


def test_dates_of_arrow():
    pa = pytest.importorskip("pyarrow")
    X = pa.table({"when": [dt.date(2021, 3, 1), None, dt.date(2021, 3, 5)]})
    model = DPDTClassifier(max_depth=1).fit(X, [0, 0, 1])
    assert "when <= 2021-03-03 or missing" in str(model.tree_)
    zoned = pa.table({"when": pa.array(HOURS.to_pydatetime().tolist(), pa.timestamp("us", "UTC"))})
    assert DPDTClassifier(max_depth=1).fit(zoned, Y).times_ == ("UTC",)


def test_an_array_of_times():
    X = HOURS.to_numpy()[:, None]
    assert "x[0] <= 2021-03-06 02:30" in str(DPDTRegressor(max_depth=1).fit(X, Y).tree_)


def test_time_zones_become_utc():
    paris = pd.DataFrame({"when": HOURS.tz_localize("Europe/Paris")})
    delhi = pd.DataFrame({"when": paris["when"].dt.tz_convert("Asia/Kolkata")})
    model = DPDTClassifier(max_depth=1).fit(paris, Y)
    assert model.times_ == ("UTC",)
    assert "when <= 2021-03-06 UTC" in str(model.tree_)
    assert (model.predict(delhi) == Y).all()


def test_dates():
    X = pl.DataFrame({"when": [dt.date(2021, 3, day) for day in (1, 2, 3, 4)]})
    model = DPDTClassifier(max_depth=1).fit(X, [0, 0, 0, 1])
    assert "when <= 2021-03-03" in str(model.tree_)


def test_microseconds_are_told_apart():
    when = np.datetime64("2021-03-04T12:00:00.000001") + np.arange(4)
    model = DPDTClassifier(max_depth=2).fit(when[:, None], [0, 1, 0, 1])
    assert model.score(when[:, None], [0, 1, 0, 1]) == 1
    assert "<= 2021-03-04 12:00:00.000001" in str(model.tree_)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (HOURS.tz_localize("UTC"), "holds times with a zone, but held times without a zone"),
        (np.arange(40.0), "holds no points in time, but held times without a zone in fit"),
        (HOURS - HOURS[0], "holds no points in time"),
    ],
)
def test_other_columns_than_in_fit(cells, message):
    model = DPDTClassifier(max_depth=1).fit(pd.DataFrame({"when": HOURS}), Y)
    with pytest.raises(ValueError, match=f"column 'when' {message}"):
        model.predict(pd.DataFrame({"when": cells}))


def test_times_where_fit_had_numbers():
    model = DPDTClassifier(max_depth=1).fit(pd.DataFrame({"when": np.arange(40.0)}), Y)
    with pytest.raises(ValueError, match="column 'when' holds points in time"):
        model.predict(pd.DataFrame({"when": HOURS}))
    model = DPDTClassifier(max_depth=1).fit(np.arange(40.0)[:, None], Y)
    with pytest.raises(ValueError, match="column 0 holds points in time"):
        model.predict(HOURS.to_numpy()[:, None])


@pytest.mark.parametrize("wrap", [lambda d: pd.DataFrame({0: d}), lambda d: d.to_numpy()[:, None]])
def test_durations_are_refused(wrap):
    with pytest.raises(ValueError, match=r"column '?0'? holds values of type .*[Dd].*into seconds"):
        DPDTClassifier().fit(wrap(HOURS - HOURS[0]), Y)


def test_zones_are_not_mixed():
    cells = [HOURS[0].to_pydatetime(), HOURS[1].tz_localize("UTC").to_pydatetime()]
    with pytest.raises(ValueError, match="column 'when' holds times with and without a time zone"):
        DPDTClassifier().fit(pd.DataFrame({"when": cells}, dtype=object), [0, 1])


def test_a_file_remembers_them(tmp_path):
    X = pd.DataFrame({"when": HOURS})
    model = DPDTClassifier(max_depth=1).fit(X, Y)
    model.save(tmp_path / "m.json")
    loaded = load(tmp_path / "m.json")
    assert loaded.times_ == ("naive",)
    assert str(loaded.tree_) == str(model.tree_)
    assert (loaded.predict(X) == Y).all()


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.0, "1970-01-01"),
        (-1.0, "1969-12-31 23:59:59.999999"),
        (60e6, "1970-01-01 00:01"),
        (61e6, "1970-01-01 00:01:01"),
        (1500.0, "1970-01-01 00:00:00.001500"),
        (2000.5, "1970-01-01 00:00:00.002"),
    ],
)
def test_text(number, text):
    assert times.text(number, times.NAIVE) == text
    assert times.text(number, times.UTC) == f"{text} UTC"
