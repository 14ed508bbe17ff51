"""Figures of measures by layer: the models of a record, its rows as curves, and the chart with its sentences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, partial

from wordworth.errors import BadInput
from wordworth.reports.captions import Caption
from wordworth.reports.charts import layers
from wordworth.reports.charts.layers import Layers, Level, Model
from wordworth.reports.charts.palette import SERIES, SeriesStyle
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import finite
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Grid

_MOST_LAYERS = 10_000


@dataclass(frozen=True)
class LayeredView(RecordView):
    """A record of models studied layer by layer, with the style in which each is drawn."""

    @cached_property
    def models(self) -> list[Row]:
        """The models, in the order in which the user named them.

        Raises:
            BadInput: a number of layers is larger than any model's, or not a number.
        """
        models = self.rows("models")
        for row in models:
            if not isinstance(row["layers"], int) or not 0 <= row["layers"] <= _MOST_LAYERS:
                raise BadInput(f"a model of this record has {row['layers']!r:.60} layers", mend="run the study again")
        return models

    @cached_property
    def styles(self) -> dict[str, SeriesStyle]:
        """The colour and shape of each model, the same in every chart."""
        return {str(row["model"]): SERIES[index % len(SERIES)] for index, row in enumerate(self.models)}

    def depth(self, model: str) -> int:
        """Return the number of layers above the input layer."""
        return next(int(row["layers"]) for row in self.models if row["model"] == model)

    def curve(
        self,
        model: str,
        rows: Iterable[Row],
        column: str = "value",
        *,
        ends: tuple[str, str] = ("low", "high"),
        null: str | float | None = None,
    ) -> Model:
        """Return the curve of a model over its rows, in the model's style; layers without a value are left out.

        Args:
            model: name of the model.
            rows: rows of any models, one for each layer.
            column: the column of the values.
            ends: the columns of the lower and the upper ends of their intervals.
            null: the column of the nulls, or the null of every layer; None without nulls.
        """
        low, high = ends
        levels = tuple(
            Level(
                int(row["layer"]),
                value,
                finite(row[low]),
                finite(row[high]),
                finite(row[null]) if isinstance(null, str) else null,
            )
            for row in rows
            if row["model"] == model and (value := finite(row[column])) is not None
        )
        return Model(model, self.depth(model), levels, self.styles[model])


def layer_figure(name: str, caption: Caption, data: Layers, table: Grid, *, text: str, height: int = 300) -> Figure:
    """Return the figure of curves by layer; where the caption says why there are none, its title and that reason.

    Args:
        name: name of the chart.
        caption: its sentences.
        data: its curves.
        table: the numbers behind it.
        text: describes it in words to those who do not see it.
        height: its height in pixels.
    """
    if caption.absent:
        return Figure(name, caption.title, "", absent=caption.absent)
    pictures = drawn(partial(layers.draw, data), name, height=height)
    return Figure(name, caption.title, text, pictures, table, caption.notes)
