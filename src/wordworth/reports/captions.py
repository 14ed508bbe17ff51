"""The sentences of charts, which the record holds: the title of each, the notes under it, and why it is not drawn."""

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
    """The sentences of a chart: its title, the notes under it, and why it is not drawn if it is not."""

    title: str
    notes: tuple[str, ...] = ()
    absent: str = ""


CaptionWriter = Callable[["Record"], Mapping[str, Caption]]
"""Writes the caption of each chart, by the chart's name, from the tables of a record."""


def with_captions(record: Record, write: CaptionWriter, timed: CaptionWriter = lambda _: {}) -> Record:
    """Return the record with the caption of each chart: a finding `caption.NAME`, or an entry in `timings["captions"]`.

    A study calls it on its record, so that the record says what its page says. A page calls it too: records of earlier
    versions have no captions, and get them from their tables; a record that has them is returned as it is.

    Args:
        record: the record.
        write: writes the captions that the seed decides, by the chart's name, from the record's tables.
        timed: writes those that depend on the clock.
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
