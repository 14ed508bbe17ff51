"""What the page of a `finetuning` record and its captions ask of the record's tables."""

from __future__ import annotations

from wordworth.reports.record_view import RecordView


def has_second_seed(view: RecordView) -> bool:
    """Return whether the change of each head was compared with that between two runs, which differ in their seed."""
    return view.rows("heads")[0]["sure"] is not None
