from __future__ import annotations

import dataclasses

from example_record import Shape, example

from wordworth.records import Finding
from wordworth.reports import render


def test_settings_that_were_left_open_show_what_was_used() -> None:
    record = example(Shape())
    reading = {
        "text": None,
        "label": None,
        "kind": None,
        "text_b": None,
        "test": None,
        "test_share": 0.25,
        "limit": None,
    }
    stated = [
        *record.findings,
        Finding("method.columns", "…", {"text": "review", "label": "stars"}),
        Finding("warning.limit", "…", {"used": 400, "file_rows": 4_866}),
    ]
    data = {**record.data, "train": 240, "test": 160}
    record = dataclasses.replace(record, settings={**record.settings, **reading}, data=data, findings=stated)
    html = render(record)
    for used in ("review", "stars", "single", "400"):
        assert f"{used} (not named)" in html
    assert "0.40 (0.25 before the bounds" in html
    named = render(dataclasses.replace(record, settings={**record.settings, "text": "body", "test": "t.csv"}))
    assert "review (not named)" not in named
    assert "not used: the test part was named" in named
    folded = {**record.settings, "folds": 0, "seeds": 5}
    html = render(dataclasses.replace(record, settings=folded, data={**record.data, "folds": 5}))
    assert "5 (as many as seeds)" in html
