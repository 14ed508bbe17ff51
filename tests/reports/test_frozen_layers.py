"""The chart of fine-tuning with frozen layers."""

from wordworth.reports.frozen_layers import caption, figure
from wordworth.reports.record_view import RecordView


def test_every_level_has_its_dots_and_its_words():
    rows = [
        {
            "system": system,
            "frozen": level,
            "language": language,
            "runs": 3,
            "accuracy": 0.5,
            "accuracy_low": 0.4,
            "accuracy_high": 0.6,
            "deviation": 0.01,
        }
        for system, level in (("model", -1), ("model", 0), ("model", 3), ("random weights", -1))
        for language in ("en", "de", None)
    ]
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    plain = {"data": {"source": "en"}, "tables": {"frozen": {"columns": columns}}}
    written = caption(RecordView(plain))
    assert written.title == "Fine-tuned on en, in en and in the other languages"
    assert written.notes[0].startswith("Accuracy with 95 % intervals over 3 runs and test texts")
    numbers = {"notes": list(written.notes), "absent": written.absent}
    findings = [{"name": "caption.frozen", "text": written.title, "numbers": numbers}]
    made = figure(RecordView({**plain, "findings": findings, "timings": {}}))
    assert (made.title, made.notes) == (written.title, written.notes)
    drawing = str(made.drawings)
    for words in ("nothing", "embeddings and 3 layers", "the other languages"):
        assert words in drawing
