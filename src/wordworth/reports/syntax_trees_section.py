"""The section of a `syntax` page with drawings of trees: words as the probe maps them, and exact tree embeddings."""

from __future__ import annotations

from functools import partial

from wordworth.reports.charts import tree_plane
from wordworth.reports.charts.palette import PLAIN, SeriesStyle
from wordworth.reports.charts.tree_plane import PANEL, TreeEdge, TreePanel, TreeWord
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import share
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Grid, plain

_TITLES = {
    "probe": "under the distance probe",
    "exact": "exact embedding",
    "random branches": "with random branches",
}
_FOUND, _MISSED, _WRONG = SeriesStyle(6, "circle"), SeriesStyle(7, "square"), PLAIN
_STYLES = {"found": (_FOUND, "solid"), "missed": (_MISSED, "dashed"), "wrong": (_WRONG, "dotted")}


def tree_figures(view: RecordView) -> list[Figure]:
    """Return a figure for each sentence in the record's table `trees`."""
    rows, edges = view.rows("trees"), view.rows("tree_edges")
    numbers = dict.fromkeys(row["sentence"] for row in rows)
    return [
        _figure(
            int(number),
            [row for row in rows if row["sentence"] == number],
            [row for row in edges if row["sentence"] == number],
        )
        for number in numbers
    ]


def _figure(number: int, rows: list[Row], edges: list[Row]) -> Figure:
    words = [str(row["form"]) for row in rows if row["embedding"] == "exact"]
    right = sum(row["edge"] == "found" for row in edges)
    title = f"{right} of {len(words) - 1} edges: “{' '.join(words)}”"
    panels = [_panel(name, [row for row in rows if row["embedding"] == name], edges) for name in _TITLES]
    pictures = drawn(partial(tree_plane.draw, panels), f"tree-{number}", height=PANEL * len(panels))
    text = f"A sentence as a tree in the plane. {title}."
    notes = (
        "Solid: edges that the probe finds; dashed: missed; dotted: wrong, joined by the probe alone.",
        "A plane keeps a share of the squared distances, so that words far apart may lie near.",
    )
    return Figure(f"tree-{number}", title, text, pictures, _table(rows, edges), notes)


def _panel(name: str, rows: list[Row], edges: list[Row]) -> TreePanel:
    forms = {row["word"]: str(row["form"]) for row in rows}
    words = [
        TreeWord(str(row["form"]), row["x"], row["y"], f"hangs on {forms[row['head']]}" if row["head"] else "the root")
        for row in rows
    ]
    kinds = edges if name == "probe" else [{**row, "edge": "found"} for row in edges if row["edge"] != "wrong"]
    lines = [TreeEdge(row["first"] - 1, row["second"] - 1, *_STYLES[str(row["edge"])]) for row in kinds]
    return TreePanel(f"{_TITLES[name]} (the plane keeps {share(rows[0]['kept'])})", words, lines)


def _table(rows: list[Row], edges: list[Row]) -> Grid:
    forms = {row["word"]: str(row["form"]) for row in rows}
    cells = [(forms[row["first"]], forms[row["second"]], str(row["edge"])) for row in edges]
    return plain("Edges", ("word", "other word", "edge"), cells, numeric=False)
