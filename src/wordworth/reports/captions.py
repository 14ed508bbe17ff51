"""The sentences of charts, which the record holds: the title of each, the notes under it, and why it is not drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from wordworth.records import Finding

if TYPE_CHECKING:
    from wordworth.records import Record
    from wordworth.reports.record_view import RecordView

_PREFIX = "caption."


@dataclass(frozen=True, slots=True)
class Caption:
    """The sentences of a chart: its title, the notes under it, and why it is not drawn if it is not."""

    title: str
    notes: tuple[str, ...] = ()
    absent: str = ""


def with_captions(record: Record, write: Callable[[Record], Mapping[str, Caption]]) -> Record:
    """Return the record with a finding `caption.NAME` for each chart.

    A study calls it on its record, so that the record says what its page says. A page calls it too: records of earlier
    versions have no captions, and get them from their tables; a record that has them is returned as it is.

    Args:
        record: the record.
        write: writes the caption of each chart, by the chart's name, from the record's tables.
    """
    if any(finding.name.startswith(_PREFIX) for finding in record.findings):
        return record
    captions = [
        Finding(f"{_PREFIX}{chart}", caption.title, {"notes": list(caption.notes), "absent": caption.absent})
        for chart, caption in write(record).items()
    ]
    return replace(record, findings=[*record.findings, *captions])


def caption_of(view: RecordView, chart: str) -> Caption:
    """Return the caption of a chart as the record holds it.

    Raises:
        KeyError: the record has no caption of this chart; `reports.render` turns it into a message to the user.
    """
    name = f"{_PREFIX}{chart}"
    rows = {row["name"]: row for row in view.findings("caption")}
    numbers = rows[name]["numbers"]
    return Caption(str(rows[name]["text"]), tuple(map(str, numbers["notes"])), str(numbers["absent"]))
