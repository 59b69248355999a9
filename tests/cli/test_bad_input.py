"""Bad input: exit code 2 and one line that names column and row, never a traceback."""

from __future__ import annotations

import pytest

GOOD = "a,b,y\n1,2,x\n3,4,z\n5,6,x\n"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "data.csv is empty"),
        ("\n \n\n", "data.csv is empty"),
        ("a,b,y\n", "data.csv has column names but no rows of data"),
        ("a,b,y\n1,2,x\n", "data.csv has only one row of data; at least two are needed"),
        ("a,a,y\n1,2,x\n3,4,z\n", "data.csv has 2 columns named 'a'; names must differ"),
        (
            "a,b,y\n" + "1,2,x\n3,4,z\n" * 9 + "oops,2,x\n",
            (
                "data.csv: column 'a', row 19 (line 20 of the file): 'oops' is not a number; "
                "--categorical a takes the column as words"
            ),
        ),
        (
            "a,b,y\n1,2,x\n-inf,4,z\n",
            "data.csv: column 'a', row 2 (line 3 of the file): '-inf' is not a finite number",
        ),
        (
            "a,b,y\n1,2,x\n3,1e999,z\n",
            "data.csv: column 'b', row 2 (line 3 of the file): '1e999' is not a finite number",
        ),
        (
            "a,b,y\n1,2,\n3,4, \n5,6,\n",
            "data.csv: column 'y' is empty in all 3 rows; there is nothing to learn",
        ),
        (
            "a,b,y\n1,2,x\n3,4,\n5,6,\n",
            (
                "data.csv: column 'y': what is to be predicted is missing in row 2 (line 3 of the "
                "file), and in 1 more; leave such rows out"
            ),
        ),
        (
            "a,b,y\n1,2,x\n1,2,x,9\n3,4,z\n",
            "data.csv: row 2 (line 3 of the file) has 4 cells, but there are 3 columns",
        ),
        (
            "a,b,y\n1,2,x\n1\n3,4,z\n",
            "data.csv: column 'y': what is to be predicted is missing in row 2 (line 3 of the file",
        ),
        (
            "\n\na,b,y\n1,2,x\n\n3,4,z\n",
            "data.csv: column 'y': what is to be predicted is missing in row 2 (line 5 of the file",
        ),
        (
            'a,y\n1,"u\nv"\noops,w\n5,w\n6,w\n',
            "data.csv: column 'a', row 2 (line 4 of the file): 'oops' is not a number",
        ),
        (
            'a,"b\nc",y\n1,2,x\n3,oops,z\n5,6,x\n',
            "data.csv: column 'b\\nc', row 2 (line 4 of the file): 'oops' is not a number",
        ),
        (
            "a,y\n1,2.5\n2,NA\n3,4.5\n",
            "data.csv: column 'y': what is to be predicted is missing in row 2 (line 3 of the file",
        ),
        (
            "a,y\n1,2.5\n2,inf\n3,4.5\n",
            "data.csv: column 'y', row 2 (line 3 of the file): 'inf' is not a finite number, but",
        ),
        ("y\nx\nz\n", "data.csv has no column besides y"),
        ("a,b,y\n1,2,é\n".encode("latin1"), "data.csv is not encoded in UTF-8; save it as UTF-8"),
        ("é,y\n1,2\n".encode("latin1"), "data.csv is not encoded in UTF-8; save it as UTF-8"),
        (b"PK\x03\x04\x00\x00", "data.csv is not a text file; CSV or Parquet is expected"),
        (
            'a,b,y\n1,"2,x\n3,4,z\n',
            "data.csv cannot be read as CSV; is a quotation mark left open?",
        ),
    ],
)
def test_files(treefront, write, content, message):
    path = write(content)
    assert treefront("fit", path, "--target", "y").complaint.startswith(message)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.csv", "--target", "y"], "there is no file none.csv"),
        ([".", "--target", "y"], ". is a directory, not a file"),
        (["data.csv"], "say which column to predict with --target; the columns of data.csv are"),
        (["data.csv", "--target", "z"], "data.csv has no column 'z'; its columns are a, b, y"),
        (["data.csv", "--target", "y", "--drop", "z"], "data.csv has no column 'z'"),
        (
            ["data.csv", "--target", "y", "--drop", "a", "--drop", "b"],
            "data.csv has no column besides a, b, y",
        ),
    ],
)
def test_arguments(treefront, write, arguments, message):
    write(GOOD)
    assert treefront("fit", *arguments).complaint.startswith(message)


@pytest.mark.parametrize(
    ("flag", "value", "message"),
    [
        ("--max-depth", "-1", "--max-depth must be an integer of at least 0, got -1"),
        ("--max-depth", "two", "Invalid value for '--max-depth'"),
        ("--alpha", "-0.5", "--alpha must be a number of at least 0"),
        ("--splits", "some", "--splits: 'some' is not known; it takes auto, all, cart:DEPTH"),
        ("--splits", "cart:3,top", "--splits: 'top' is not known"),
        (
            "--splits",
            "cart:0",
            "--splits cart:0: the number must be an integer of at least 1, got 0",
        ),
        ("--exact-tail", "3", "--exact-tail must be 'auto', 0, 1 or 2, got 3"),
        ("--complexity", "size", "--complexity must be 'tests' or 'splits'"),
        ("--min-samples-leaf", "0", "--min-samples-leaf must be"),
        ("--time-limit", "0", "--time-limit must be a number above 0"),
        ("--memory-limit", "2XB", "--memory-limit must be a number of bytes"),
        ("--n-jobs", "0", "--n-jobs must be an integer other than 0"),
        ("--holdout", "1", "--holdout must be a fraction of at least 0 and below 1, got 1"),
        ("--holdout", "0.999", "--holdout 0.999: none of the 3 rows would be left to learn from"),
        ("--time-limit", "-1", "--time-limit must be a number above 0, got -1.0"),
        ("--feature-groups", "a,b", "--feature-groups needs --feature-costs-once"),
        ("--cv", "1000", "--cv 1000: there are only 3 rows"),
        ("--cv", "3", "--cv 3: the largest class of 'y' has only 2 rows"),
        ("--prove", "front", "--prove front is for --splits all"),
        ("--drop", "y", "--drop y: that is the column of --target"),
        ("--weight", "y", "--target and --weight are both 'y'"),
        ("--class-weight", "x=z", "--class-weight x=z: a weight is a number of at least 0"),
        ("--class-weight", "foo", "--class-weight: 'foo' is neither balanced, NAME=WEIGHT nor"),
        ("--seed", "-1", "Invalid value for '--seed'"),
        ("--out", "nowhere/model.json", "there is no folder nowhere to write a model to"),
        ("--out", ".", ". is a folder; --out needs the name of a file"),
        ("--report", "nowhere/r.html", "there is no folder nowhere to write a report to"),
        ("--report", ".", ". is a folder; --report needs the name of a file"),
        ("--colour", "red", "No such option: --colour"),
    ],
)
def test_flags(treefront, write, flag, value, message):
    write(GOOD)
    assert treefront("fit", "data.csv", "--target", "y", flag, value).complaint.startswith(message)


def test_commands(treefront):
    assert treefront("fits").complaint.startswith("No such command 'fits'")
    assert "(see treefront fit --help)" in treefront("fit").complaint


def test_parquet(treefront, write):
    pl = pytest.importorskip("polars")
    write("not parquet", "data.parquet")
    message = treefront("fit", "data.parquet", "--target", "y").complaint
    assert message.startswith("data.parquet is not a Parquet file")
    pl.DataFrame({"a": [1.0, float("inf")], "y": [0, 1]}).write_parquet("data.parquet")
    message = treefront("fit", "data.parquet", "--target", "y").complaint
    assert message.startswith("data.parquet: column 'a', row 2: 'inf' is not a finite number")
    wait = pl.Series([1, 2]).cast(pl.Duration)
    pl.DataFrame({"a": [1.0, 2.0], "wait": wait, "y": [0, 1]}).write_parquet("data.parquet")
    message = treefront("fit", "data.parquet", "--target", "y").complaint
    assert message.startswith("data.parquet: column 'wait' holds values of type Duration")


@pytest.mark.parametrize("role", ["target", "weight", "categorical", "feature"])
@pytest.mark.parametrize("kind", ["List", "Struct", "Binary"])
def test_parquet_of_what_is_neither_number_nor_text(treefront, write, role, kind):
    pl = pytest.importorskip("polars")
    path = write("", "data.parquet")
    cells = {
        "List": [[1], [2, 3]],
        "Struct": [{"a": 1}, {"a": 2}],
        "Binary": [b"\xff", b"\xfe"],
    }[kind]
    pl.DataFrame({"a": [1.0, 2.0], "odd": cells, "y": [0, 1]}).write_parquet(path)
    flags = {
        "target": ["--target", "odd"],
        "weight": ["--target", "y", "--weight", "odd"],
        "categorical": ["--target", "y", "--categorical", "odd"],
        "feature": ["--target", "y"],
    }[role]
    message = treefront("fit", path, *flags).complaint
    assert message.startswith(f"data.parquet: column 'odd' holds values of type {kind}")


def test_one_class_is_a_leaf_and_a_warning(treefront, write):
    write("a,y\n1,x\n2,x\n")
    answer = treefront("fit", "data.csv", "--target", "y")
    assert answer.code == 0
    assert answer.err == (
        "treefront: warning: column 'y' holds one class only; the tree is a single leaf\n"
    )
    assert "all rows: x  2 rows  x: 100%" in answer.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("fit data.csv --target y --out ./data.csv", "--out data.csv would overwrite data.csv,"),
        ("fit data.csv --target y --out link.csv", "--out link.csv would overwrite data.csv,"),
        ("fit data.csv --target y --report data.csv", "--report data.csv would overwrite data.csv"),
        (
            "fit data.csv --target y --cost-matrix model.json --out model.json",
            "--out model.json would overwrite model.json",
        ),
        (
            "fit data.csv --target y --feature-costs model.json --out model.json",
            "--out model.json would overwrite model.json",
        ),
        (
            "fit data.csv --target y --out new --report ./new",
            "--out and --report both name new: give each a file of its own",
        ),
        ("predict model.json data.csv --out data.csv", "--out data.csv would overwrite data.csv"),
        ("predict model.json data.csv --out model.json", "--out model.json would overwrite model."),
        ("export model.json --to c -o model.json", "--output model.json would overwrite model.jso"),
    ],
)
def test_no_file_that_is_read_is_overwritten(treefront, data, arguments, message):
    treefront("fit", data, "--target", "y", "--out", "model.json")
    data.with_name("link.csv").symlink_to(data.name)
    before = {path: path.read_bytes() for path in data.parent.iterdir()}
    assert treefront(*arguments.split()).complaint.startswith(message)
    assert {path: path.read_bytes() for path in data.parent.iterdir()} == before


def test_outputs_that_keep_nothing(treefront, data):
    answer = treefront(
        "fit", data, "--target", "y", "--out", "/dev/null", "--report", "/dev/null", "-q"
    )
    assert answer.code == 0


@pytest.mark.parametrize("cell", ["unknown", "2021-02-30", "01.02.2021", "2021-03-04 12:30Z", "7"])
def test_what_is_no_time_among_times(treefront, write, cell):
    days = [f"2021-03-{day:02},{day % 3 % 2}" for day in range(1, 10)]
    write("\n".join(["when,y", *days, "NA,1", f"{cell},0"]) + "\n")
    complaint = treefront("fit", "data.csv", "--target", "y").complaint
    assert complaint.startswith(f"data.csv: column 'when', row 11 (line 12 of the file): '{cell}' ")
    assert complaint.endswith("--categorical when takes the column as words")
    answer = treefront("fit", "data.csv", "--target", "y", "--categorical", "when")
    assert answer.code == 0


@pytest.mark.parametrize("cells", [["2021-03-04", "soon"], ["2021-03-04"] * 8 + ["soon"]])
def test_words_of_which_some_are_dates(treefront, write, cells):
    rows = [f"{cell},{i % 2}" for i, cell in enumerate(cells)]
    write("\n".join(["when,y", *rows]) + "\n")
    assert treefront("fit", "data.csv", "--target", "y").code == 0


def test_names_of_columns_are_not_taken_for_parameters():
    from treefront.cli.flags import with_flags

    assert with_flags("column 'max_depth' holds max_depth=3, 'a' or None, got 4") == (
        "column 'max_depth' holds --max-depth 3, 'a', got 4"
    )
    assert with_flags("proved by splits=\"all\" or on_interrupt='return'") == (
        "proved by --splits all or --on-interrupt return"
    )


def test_weights_of_0_say_which_rows(treefront, write):
    lines = [f"{row},{int(row == 0)},{row}.5" for row in range(20)]
    write("\n".join(["a,w,y", *lines]))
    fit = ("fit", "data.csv", "--target", "y", "--weight", "w")
    said = {
        treefront(*fit, "--holdout", 0.5, "--seed", seed).complaint.partition(";")[0]
        for seed in range(8)
    }
    assert said == {
        f"--weight w: all 10 {which} rows have the weight 0" for which in ("training", "held-out")
    }
    assert treefront(*fit, "--drop", "w").complaint.startswith("--drop w: that is the column of")


def test_export_names_its_flags(treefront, data):
    assert treefront("fit", data, "--target", "y", "--out", "m.json", "-q").code == 0
    complaint = treefront("export", "m.json", "--to", "sql", "--dialect", "basic").complaint
    assert complaint.startswith("--dialect must be one of")
