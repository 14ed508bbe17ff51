"""The page of an `attention` record: the attention maps of every head, and a table of statistics of each head."""

from __future__ import annotations

from collections.abc import Sequence

from wordworth.records import Record
from wordworth.reports.attention.viewer_data import PackedModel
from wordworth.reports.captions import Caption
from wordworth.reports.figure import Figure
from wordworth.reports.head_statistics import HEAD_STATISTICS, head_map
from wordworth.reports.number_format import exact, finite, share
from wordworth.reports.page import machine, render_page, settings, sources, time_spent, verdict_header
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Cell, Column, Grid

_SCRIPTS = ("attention_maps.js", "attention_drawings.js", "attention.js")
_LABELS = {
    "entropy": "entropy, in nats",
    "special": "to special tokens",
    "self": "to itself",
    "previous": "to the previous token",
    "next": "to the next token",
    "across": "to the other text",
}


def captions(record: Record) -> dict[str, Caption]:
    """Return name of each chart of an `attention` record -> its caption."""
    view = RecordView.of(record)
    return {_chart(*each): _caption(view, *each) for each in _mapped(view)}


def _mapped(view: RecordView) -> list[tuple[int, str]]:
    """Return the heat maps on the page, each as the index of a model and the name of its statistic.

    A model that gives special tokens no attention has no map of it.
    """
    with_special = {row["model"] for row in view.rows("heads") if finite(row["special"])}
    models = enumerate(str(name) for name in view.data["models"])
    return [
        (index, each) for index, name in models for each in HEAD_STATISTICS if each == "entropy" or name in with_special
    ]


def _chart(index: int, statistic: str) -> str:
    return f"{statistic}-{index}"


def _caption(view: RecordView, index: int, statistic: str) -> Caption:
    """Return the caption of a heat map; that of the first model says what random weights give, where it is known."""
    by_head, of_heads = _by_head(view, index, statistic), HEAD_STATISTICS[statistic]
    (layer, head), most = max(by_head.items(), key=lambda each: each[1])
    suffix = f", {view.data['models'][index]}" if len(view.data["models"]) > 1 else ""
    title = f"{of_heads.title}{suffix}: most in layer {layer}, head {head}, {of_heads.amount(most)}"
    random = {row["figure"]: float(row["random_highest"]) for row in view.rows("control")}
    if index or statistic not in random:
        return Caption(title)
    return Caption(f"{title}; with random weights at most {of_heads.amount(random[statistic])}")


def _by_head(view: RecordView, index: int, statistic: str) -> dict[tuple[int, int], float]:
    """Return layer and head -> a statistic of a model's attention there; 0 where it is undefined."""
    name = str(view.data["models"][index])
    rows = [row for row in view.rows("heads") if row["model"] == name]
    return {(row["layer"], row["head"]): finite(row[statistic]) or 0.0 for row in rows}


def page(record: Record) -> str:
    """Return the page of an `attention` record as one self-contained HTML document.

    An `AttentionRecord` has the maps that the page shows. A record that was read from a file has no maps, and its page
    says so.
    """
    view = RecordView.of(record)
    models: tuple[PackedModel, ...] = getattr(record, "models", ())
    names = [str(name) for name in view.data["models"]]
    figures = [_map(view, *each) for each in _mapped(view)]
    header = verdict_header(view, " · ".join(("What attention heads look at", *names, str(view.data["name"]))))
    return render_page(
        "attention.html.j2",
        view,
        header,
        figures=figures,
        method=(settings(view), sources(view), machine(view), time_spent(view, "part")),
        scripts=_SCRIPTS if models else (),
        models=[model.maps for model in models],
        payload={"models": [model.data() for model in models], "start": _most_different(view, models)},
        units=view.settings["units"],
        reading=" ".join(view.sentences("reading")),
        charts=figures,
        tables=[_control_table(view), _token_table(view, names), _head_table(view, names)],
    )


def _most_different(view: RecordView, models: Sequence[PackedModel]) -> dict[str, int] | None:
    """Return the layer and head, from 1, in which two models differ most; None if no head is compared.

    Only layers whose maps are on the page are considered.
    """
    drawn_layers = {layer + 1 for model in models for layer in model.weights.layers}
    compared = [row for row in view.rows("heads") if row["layer"] in drawn_layers and finite(row["difference"])]
    if not compared:
        return None
    top = max(compared, key=lambda row: row["difference"])
    return {"layer": int(top["layer"]), "head": int(top["head"])}


def _map(view: RecordView, index: int, statistic: str) -> Figure:
    """Return the heat map of a statistic of a model's attention by layer and head."""
    name, by_head = _chart(index, statistic), _by_head(view, index, statistic)
    return head_map(view, name, HEAD_STATISTICS[statistic], by_head)


def _control_table(view: RecordView) -> Grid:
    """Return the table of statistics of the first model's heads, and of heads with random weights for comparison.

    The table has no rows if the maps come from arrays.
    """
    of_random = "the same shape with random weights, which learned nothing, on the same text"
    heads = (
        Column("figure", numeric=False),
        Column("mean over heads", note="with the lowest and the highest head"),
        Column("with random weights", note=of_random),
        Column("heads above all of these", note="by luck about one, were they alike"),
        Column("heads below all of these", note="likewise"),
    )
    cells = [
        (
            Cell(_LABELS[row["figure"]]),
            *(_span(row, prefix) for prefix in ("", "random_")),
            *(Cell(str(row[side]), row[side]) for side in ("above", "below")),
        )
        for row in view.rows("control")
    ]
    return Grid("Heads beside random weights", heads, tuple(cells))


def _span(row: Row, prefix: str) -> Cell:
    mean, lowest, highest = (float(row[f"{prefix}{name}"]) for name in ("mean", "lowest", "highest"))
    figure = row["figure"]
    return Cell(
        _number_text(figure, mean), mean, detail=f"{_number_text(figure, lowest)} to {_number_text(figure, highest)}"
    )


def _head_table(view: RecordView, names: list[str]) -> Grid:
    """Return the table of the statistics of all heads; columns without any value in this record are left out."""
    rows = view.rows("heads")
    columns: dict[str, Column] = {
        "entropy": Column("entropy", note="mean over rows, in nats"),
        "special": Column("to special tokens"),
        "self": Column("to itself"),
        "previous": Column("to the previous"),
        "next": Column("to the next"),
        "across": Column("to the other text"),
        "difference": Column(
            "difference", note="Jensen-Shannon divergence from the same head of the other model, nats"
        ),
    }
    known = [name for name in columns if any(finite(row[name]) is not None for row in rows)]
    heads = (
        Column("head", note="layer-head"),
        *((Column("model", numeric=False),) if len(names) > 1 else ()),
        Column("most to", numeric=False),
        *(columns[name] for name in known),
    )
    cells = [
        (
            Cell(f"{row['layer']}-{row['head']}", 1000 * row["layer"] + row["head"]),
            *((Cell(str(row["model"])),) if len(names) > 1 else ()),
            Cell(str(row["top"]), detail=share(finite(row["top_share"]))),
            *(_cell(name, finite(row[name])) for name in known),
        )
        for row in rows
    ]
    return Grid("Every head, as layer-head", heads, tuple(cells), sortable=True)


def _cell(name: str, value: float | None) -> Cell:
    return Cell(_number_text(name, value), value)


def _number_text(name: str, value: float | None) -> str:
    return exact(value) if name in {"entropy", "difference"} else share(value)


def _token_table(view: RecordView, names: list[str]) -> Grid:
    controlled = bool(view.rows("control"))
    heads = (
        Column("token", numeric=False),
        *((Column("model", numeric=False),) if len(names) > 1 else ()),
        Column("receives", note="mean attention over all heads and tokens that are not special"),
        *((Column("with random weights"),) if controlled else ()),
        Column("position"),
    )
    cells = [
        (
            Cell(str(row["token"])),
            *((Cell(str(row["model"])),) if len(names) > 1 else ()),
            Cell(share(finite(row["received"])), finite(row["received"])),
            *((Cell(share(finite(row["random"])), finite(row["random"])),) if controlled else ()),
            Cell(str(row["position"]), row["position"]),
        )
        for row in view.rows("tokens")
    ]
    return Grid("What each token receives", heads, tuple(cells), sortable=True)
