"""The section of a `syntax` page with drawings of trees: words as the probe maps them, and exact tree embeddings."""

from __future__ import annotations

from functools import partial

from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import Caption
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


def tree_captions(view: RecordView) -> dict[str, Caption]:
    """Return name of the chart of each sentence in the record's table `trees` -> its caption."""
    return {name: _caption(rows, edges) for name, (rows, edges) in _sentences(view).items()}


def _caption(rows: list[Row], edges: list[Row]) -> Caption:
    words = [str(row["form"]) for row in rows if row["embedding"] == "exact"]
    right = sum(row["edge"] == "found" for row in edges)
    notes = (
        "Solid: edges that the probe finds; dashed: missed; dotted: wrong, joined by the probe alone.",
        "A plane keeps a share of the squared distances, so that words far apart may lie near.",
    )
    return Caption(f"{right} of {len(words) - 1} edges: “{' '.join(words)}”", notes)


def tree_figures(view: RecordView) -> list[Figure]:
    """Return a figure for each sentence in the record's table `trees`."""
    return [_figure(view, name, rows, edges) for name, (rows, edges) in _sentences(view).items()]


def _sentences(view: RecordView) -> dict[str, tuple[list[Row], list[Row]]]:
    """Return name of the chart of each sentence -> its rows of the tables `trees` and `tree_edges`."""
    rows, edges = view.rows("trees"), view.rows("tree_edges")
    return {
        f"tree-{int(number)}": (
            [row for row in rows if row["sentence"] == number],
            [row for row in edges if row["sentence"] == number],
        )
        for number in dict.fromkeys(row["sentence"] for row in rows)
    }


def _figure(view: RecordView, name: str, rows: list[Row], edges: list[Row]) -> Figure:
    panels = [_panel(panel, [row for row in rows if row["embedding"] == panel], edges) for panel in _TITLES]
    pictures = drawn(partial(tree_plane.draw, panels), name, height=PANEL * len(panels))
    return captioned_figure(view, name, "A sentence as a tree in the plane.", pictures, _table(rows, edges))


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
