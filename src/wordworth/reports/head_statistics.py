"""Statistics of attention that pages draw as heat maps over layers and heads: names, units, and the chart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from wordworth.reports.captioned_figure import captioned_figure
from wordworth.reports.charts import heat_map
from wordworth.reports.figure import Figure, drawn
from wordworth.reports.number_format import share
from wordworth.reports.record_view import RecordView


@dataclass(frozen=True, slots=True)
class HeadStatistic:
    """A statistic of the attention of a head.

    Attributes:
        title: name of the statistic.
        unit: `percent` for shares of 1, or `nats`.
    """

    title: str
    unit: str

    def amount(self, value: float) -> str:
        """Return a value of the statistic as text with its unit."""
        return share(value) if self.unit == "percent" else f"{value:.1f} nats"


HEAD_STATISTICS = {
    "special": HeadStatistic("Attention to special tokens", "percent"),
    "entropy": HeadStatistic("Entropy", "nats"),
}
"""Each column of the table `heads` that has a heat map -> its statistic."""


def head_map(view: RecordView, name: str, statistic: HeadStatistic, by_head: Mapping[tuple[int, int], float]) -> Figure:
    """Return the heat map of a statistic over layers and heads.

    Args:
        view: the record, which has the caption.
        name: name of the chart.
        statistic: the statistic.
        by_head: layer and head -> the statistic there.
    """
    cells = heat_map.measured(by_head, in_percent=statistic.unit == "percent")
    data = heat_map.of_heads(cells, f"rows: layers · columns: heads · in {statistic.unit}")
    pictures = drawn(partial(heat_map.draw, data), name, height=heat_map.height(data))
    return captioned_figure(view, name, f"{statistic.title} by layer and head.", pictures)
