"""Captions of charts, which a record stores: a chart's title, the notes under it, or why the chart is not drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from wordworth.records import Finding

if TYPE_CHECKING:
    from wordworth.records import Record
    from wordworth.reports.record_view import RecordView

_PREFIX, _TIMED = "caption.", "captions"


@dataclass(frozen=True, slots=True)
class Caption:
    """The sentences of a chart.

    Attributes:
        title: title of the chart, which says in words what the chart shows.
        notes: sentences under the chart.
        absent: the reason why the chart is not drawn; empty if it is drawn.
    """

    title: str
    notes: tuple[str, ...] = ()
    absent: str = ""


CaptionWriter = Callable[["Record"], Mapping[str, Caption]]
"""A function from a record to name of a chart -> caption, written from the record's tables."""


def with_captions(record: Record, write: CaptionWriter, timed: CaptionWriter = lambda _: {}) -> Record:
    """Return the record with a caption for each of its charts.

    The caption of the chart NAME is a finding named `caption.NAME`, or an entry of `timings["captions"]`. A study calls
    this on its record, so that the record holds the sentences of its page; a page calls it on records of earlier
    versions, which have no captions. A record with captions is returned as it is.

    Args:
        record: the record.
        write: function that writes the captions that are the same whenever the study is repeated with the same seed;
            they become findings.
        timed: function that writes the captions that depend on measured times; they become timings.
    """
    if _TIMED in record.timings or any(finding.name.startswith(_PREFIX) for finding in record.findings):
        return record
    findings = [
        Finding(f"{_PREFIX}{chart}", caption.title, {"notes": list(caption.notes), "absent": caption.absent})
        for chart, caption in write(record).items()
    ]
    clocked = {chart: asdict(caption) for chart, caption in timed(record).items()}
    timings = {**record.timings, _TIMED: clocked} if clocked else record.timings
    return replace(record, findings=[*record.findings, *findings], timings=timings)


def caption_of(view: RecordView, chart: str) -> Caption:
    """Return the caption of a chart as the record holds it.

    Raises:
        KeyError: the record has no caption of this chart; `reports.render` turns it into a message to the user.
    """
    name = f"{_PREFIX}{chart}"
    rows = {row["name"]: {"title": row["text"], **row["numbers"]} for row in view.findings("caption")}
    caption = rows.get(name) or view.plain["timings"].get(_TIMED, {}).get(chart)
    if caption is None:
        raise KeyError(name)
    return Caption(str(caption["title"]), tuple(map(str, caption["notes"])), str(caption["absent"]))
