"""The figure of a chart whose title, notes and reason for absence are those of its caption in the record."""

from __future__ import annotations

from wordworth.reports.captions import caption_of
from wordworth.reports.charts.axes import Drawing
from wordworth.reports.figure import Figure
from wordworth.reports.record_view import RecordView
from wordworth.reports.tables import Grid


def captioned_figure(
    view: RecordView,
    name: str,
    description: str = "",
    pictures: tuple[Drawing, ...] = (),
    table: Grid | None = None,
    *,
    details: str = "",
) -> Figure:
    """Return the figure of a chart, without a drawing if its caption gives a reason for its absence.

    Readers who do not see the drawing get the description, the title of the caption, and the details.

    Args:
        view: the record, which has the caption.
        name: name of the chart.
        description: sentence on what is drawn.
        pictures: the drawing for a wide page and the drawing for a phone.
        table: the numbers behind the chart; None without a table.
        details: further sentences for readers who do not see the drawing.
    """
    caption = caption_of(view, name)
    if caption.absent:
        return Figure(name, caption.title, "", table=table, notes=caption.notes, absent=caption.absent)
    title = f"{caption.title.removesuffix('.')}."
    text = " ".join(part for part in (description, title, details) if part)
    return Figure(name, caption.title, text, pictures, table, caption.notes)
