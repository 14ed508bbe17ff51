"""Figures of measures by layer: curves from the rows of a record, and the chart with its caption."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, partial

from wordworth.errors import BadInput
from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.captions import caption_of
from wordworth.reports.charts import measure_by_layer
from wordworth.reports.charts.measure_by_layer import Curve, CurvesByLayer, LayerValue
from wordworth.reports.charts.palette import SERIES, SeriesStyle
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import finite
from wordworth.reports.record_view import RecordView, Row
from wordworth.reports.tables import Grid

_MOST_LAYERS = 10_000


@dataclass(frozen=True)
class LayeredView(RecordView):
    """A record with measures by layer of one or more models, prepared for its page."""

    @cached_property
    def models(self) -> list[Row]:
        """The rows of the table `models`, in the order in which the user named the models.

        Raises:
            BadInput: a model's number of layers is not a whole number, or is impossibly large.
        """
        models = self.rows("models")
        for row in models:
            if not isinstance(row["layers"], int) or not 0 <= row["layers"] <= _MOST_LAYERS:
                raise BadInput(f"a model of this record has {row['layers']!r:.60} layers", mend="run the study again")
        return models

    @cached_property
    def styles(self) -> dict[str, SeriesStyle]:
        """Model -> its colour and marker, the same in every chart."""
        return {str(row["model"]): SERIES[index % len(SERIES)] for index, row in enumerate(self.models)}

    def depth(self, model: str) -> int:
        """Return the number of layers of a model above the input layer."""
        return next(int(row["layers"]) for row in self.models if row["model"] == model)

    def curve(
        self,
        model: str,
        rows: Iterable[Row],
        column: str = "value",
        *,
        ends: tuple[str, str] = ("low", "high"),
        null: str | float | None = None,
    ) -> Curve:
        """Return the curve of a model by layer; layers without a value are left out.

        Args:
            model: name of the model.
            rows: rows of a table of the record, one for each model and layer; rows of other models are ignored.
            column: column of the values.
            ends: columns of the lower and the upper end of the interval.
            null: the value that chance alone would give: the column that has it, or one number for all layers; None if
                it is not known.
        """
        low, high = ends
        levels = tuple(
            LayerValue(
                int(row["layer"]),
                value,
                finite(row[low]),
                finite(row[high]),
                finite(row[null]) if isinstance(null, str) else null,
            )
            for row in rows
            if row["model"] == model and (value := finite(row[column])) is not None
        )
        return Curve(model, self.depth(model), levels, self.styles[model])


def layer_figure(  # noqa: PLR0913 - what a figure is made of
    view: RecordView,
    name: str,
    data: CurvesByLayer,
    table: Grid,
    *,
    description: str = "",
    details: str = "",
    height: int = 300,
) -> Figure:
    """Return a figure of curves by layer, without drawing and table if the caption gives a reason for its absence.

    Args:
        view: the record, which has the caption.
        name: name of the chart.
        data: curves of the chart.
        table: the numbers behind the chart.
        description: sentence on what is drawn, for readers who do not see the drawing.
        details: further sentences for them, after the title of the caption.
        height: height of the chart in pixels.
    """
    if caption_of(view, name).absent:
        return captioned_figure(view, name)
    pictures = drawn(partial(measure_by_layer.draw, data), name, height=height)
    return captioned_figure(view, name, description, pictures, table, details=details)
