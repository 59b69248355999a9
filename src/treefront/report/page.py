"""From the summary to one page that loads nothing.

The page's own policy names its scripts and its style sheet by their hashes: nothing else can run.
They are the same in every report of a release: a server with a policy of its own can name them too.
Without scripts the page still shows the front as a table and the chosen tree as rules.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections import Counter
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from treefront import rules

INDEX = "@"  # a text that begins with it is the place of a text that occurs more than once
MOST_RULES = 100  # that are there without scripts
LOSSES = {
    "error_rate": "error rate",
    "cost": "mean cost of a row",
    "squared_error": "mean squared error",
    "absolute_error": "mean absolute error",
}


def render(summary: dict[str, Any]) -> str:
    """The page of a summary."""
    return Template(_asset("page.html")).substitute(
        policy=html.escape(content_security_policy()),
        title=html.escape(summary["title"]),
        written_by=html.escape(summary["written_by"]),
        style=_asset("page.css"),
        drawing=_asset("d3.js"),
        script=_asset("page.js"),
        about=html.escape(_about(summary)),
        table=_table(summary),
        rules=html.escape(_rules(summary)),
        data=_as_json(summary),
    )


def content_security_policy() -> str:
    """What the page of a report allows: its own scripts and styles, and nothing from anywhere.

    The same for all reports of a release.

    Returns
    -------
    str
        Value of the header ``Content-Security-Policy``, by the hashes of scripts and style sheet.
    """
    scripts = " ".join(_hash(_asset(name)) for name in ("d3.js", "page.js"))
    return (
        f"default-src 'none'; script-src {scripts}; style-src {_hash(_asset('page.css'))}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


@cache
def _asset(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


# ---- what is there without scripts ----


def _about(summary: dict[str, Any]) -> str:
    model, tested = summary["model"], summary["tested"]
    rows = f"{model['n_rows']:,} training row{'s' if model['n_rows'] != 1 else ''}"
    if model["weighted"]:
        rows += " (weighted)"
    words = [f"{model['estimator']}, {rows}, {model['n_features']} features"]
    if tested is not None:
        words.append(f"{tested['name']}: {tested['n_rows']:,} rows")
    status = model["status"].replace("_", " ")
    words.append(f"search: {status}, {model['n_states']:,} states")
    return "; ".join(words)


def _table(summary: dict[str, Any]) -> str:
    """The front, smallest tree first; the page's script makes its rows choices."""
    front, tested, model = summary["front"], summary["tested"], summary["model"]
    is_rate = model["loss_name"] == "error_rate"
    header = ["tree", "leaves", "average tests"]
    if model["priced"]:
        header.append("average price" if model["complexity"] == "tests" else "price")
    header.append(f"training {LOSSES[model['loss_name']]}")
    if tested is not None:
        weighted = "weighted " if tested["weighted"] else ""
        of_rows = f"{tested['name']} {weighted}{LOSSES[model['loss_name']]}"
        header.append(of_rows if of_rows not in header else f"{of_rows} of the rows given")
    has_score = tested is not None and not is_rate  # else it is what the error rate leaves
    if has_score:
        header.append(tested["score_name"])
    folds = summary["cross_validation"]
    if folds is not None:
        header.append(f"{folds['score_name']} in {folds['n_folds']} folds, ± standard error")
    more = ["depth", "alpha from", "to"]  # what a narrow screen has no room for
    body = []
    for i, loss in enumerate(front["loss"]):
        high = front["alpha_high"][i]
        cells = [str(i), str(front["n_leaves"][i]), f"{front['mean_tests'][i]:.2f}"]
        if model["priced"]:
            cells.append(rules.rounded(front["complexity"][i]))
        cells.append(_loss(loss, is_rate=is_rate))
        if tested is not None:
            cells.append(_loss(tested["loss"][i], is_rate=is_rate))
        if has_score:
            score, is_share = tested["score"][i], tested["score_name"] == "accuracy"
            cells.append(_loss(score, is_rate=True) if is_share else _score(score))
        if folds is not None:
            error = folds["standard_error"][i]
            spread = "" if error is None else f" ± {error:.2g}"
            cells.append(f"{_score(folds['score'][i])}{spread}")
        others = [
            str(front["depth"][i]),
            rules.rounded(front["alpha_low"][i]),
            "any" if high is None else rules.rounded(high),
        ]
        proved = ' <abbr title="proved optimal">✓</abbr>' if front["proved"][i] else ""
        first, *rest = cells
        body.append(
            f'<tr data-tree="{i}"><th scope="row">{first}{proved}</th>'
            + "".join(f"<td>{html.escape(cell)}</td>" for cell in rest)
            + "".join(f'<td class="more">{html.escape(cell)}</td>' for cell in others)
            + "</tr>"
        )
    head = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in header)
    head += "".join(f'<th scope="col" class="more">{html.escape(cell)}</th>' for cell in more)
    return (
        "<table><caption>Every tree of the front, smallest first</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"
    )


def _loss(number: float | None, *, is_rate: bool) -> str:
    if number is None:
        return "–"
    return f"{number:.2%}" if is_rate else rules.rounded(number)


def _score(number: float | None) -> str:
    """A score, most often a share: four digits behind the point are enough of it."""
    return "–" if number is None else rules.rounded(round(number, 4) if abs(number) < 1 else number)


def _rules(summary: dict[str, Any]) -> str:
    """The chosen tree, one rule per leaf."""
    tree = summary["trees"][summary["chosen"]]
    said = []
    for rule in tree["rules"][:MOST_RULES]:
        leaf = tree["nodes"][rule["leaf"]]
        when = " and ".join(rule["conditions"])
        start = f"if {when}:\n    " if when else "always: "
        said.append(f"{start}{leaf['prediction']}   ({leaf['rows']}; {leaf['spread']})")
    more = len(tree["rules"]) - len(said)
    return "\n".join([*said, f"... and {more} more"] if more else said)


# ---- the data ----


def _as_json(summary: dict[str, Any]) -> str:
    """The summary as JSON that is safe inside a script element."""
    counts: Counter[str] = Counter()
    _count(summary, counts)
    repeated = {
        text: f"{INDEX}{place}"
        for place, text in enumerate(
            text for text in counts if counts[text] > 1 or text.startswith(INDEX)
        )
    }
    document = {"texts": list(repeated), "summary": _shortened(summary, repeated)}
    text = json.dumps(document, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    # No tag can begin in it; the separators are line ends to some readers of scripts.
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _count(value: Any, counts: Counter[str]) -> None:
    if isinstance(value, str):
        counts[value] += 1
    elif isinstance(value, (list, tuple, dict)):
        for member in value.values() if isinstance(value, dict) else value:
            _count(member, counts)


def _shortened(value: Any, place: dict[str, str]) -> Any:
    """The same with repeated texts as places; neighbouring trees share most of theirs."""
    if isinstance(value, str):
        return place.get(value, value)
    if isinstance(value, dict):
        return {key: _shortened(member, place) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_shortened(member, place) for member in value]
    return value
