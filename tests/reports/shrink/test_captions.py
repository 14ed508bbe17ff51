"""What the charts of a `shrink` record say of its tables."""

from dataclasses import replace
from pathlib import Path

import pytest
from caption_checks import captions
from changed import changed, with_table, without_captions

from wordworth.records import Record, Table, read
from wordworth.reports.captions import Caption, with_captions

RECORDS = Path(__file__).parents[3] / "docs" / "records"


@pytest.fixture(scope="module")
def record() -> Record:
    return read(RECORDS / "shrink_sts.json")


def caption(record: Record, chart: str) -> Caption:
    return captions(with_captions(record))[chart]


def judged(record: Record, *within: str) -> Record:
    """The record with the whole model and one smaller model for each of these verdicts."""
    models = record.tables["models"]
    whole, smaller, *_ = models.rows()
    return with_table(
        record, "models", Table.of([whole, *({**smaller, "within": it} for it in within)], models.describe)
    )


def test_smaller_models_within_the_margin_are_counted_and_those_that_the_rows_cannot_tell_too(record):
    assert caption(judged(record, "yes", "no"), "changes").title == "1 of 2 smaller models is enough"
    title = caption(judged(record, "yes", "yes", "cannot tell"), "changes").title
    assert title == "2 of 3 smaller models are enough; of 1 these rows cannot tell"


def test_intervals_of_several_models_are_said_to_be_corrected(record):
    assert "intervals of 95 %:" in caption(judged(record, "no"), "changes").notes[0]
    assert (
        "intervals of 97.5 %, corrected for 2 comparisons:" in caption(judged(record, "no", "no"), "changes").notes[0]
    )


def test_a_model_that_does_not_beat_the_constant_answer_has_none_that_is_called_enough(record):
    verdict = record.finding("verdict")
    beaten = replace(verdict, numbers={**verdict.numbers, "model_beats_constant": False})
    findings = [beaten if each is verdict else each for each in record.findings]
    written = captions(with_captions(without_captions(replace(record, findings=findings))))
    assert "are within the margin" in written["changes"].title
    assert "enough" not in " ".join(written["changes"].notes)
    assert "enough" in written["vectors"].title


def test_forms_of_vectors_have_a_caption_where_there_are_any(record):
    vectors = record.tables["vectors"]
    forms = len(vectors.rows()) - 1
    assert (
        caption(changed(record, "vectors", within="yes"), "vectors").title
        == f"{forms} of {forms} smaller forms are enough"
    )
    assert captions(with_captions(read(RECORDS / "shrink_sst2.json"))).keys() == {"changes", "frontier"}


def test_what_took_time_stands_with_the_timings(record):
    assert list(with_captions(record).timings["captions"]) == ["frontier"]
    assert " ms a text" in caption(record, "frontier").title
