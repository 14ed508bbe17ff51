"""What the learning curves show: who of the verdict's two rungs leads, and who of all."""

import dataclasses

from tests.reports.example_record import comparing, example

from wordworth.records import Table
from wordworth.reports.captions import with_captions
from wordworth.reports.worth.curve_captions import leaders


def caption(**numbers):
    """The caption of the curves where the verdict compares TF-IDF with MiniLM."""
    return with_captions(comparing("tfidf", "minilm", **numbers)).finding("caption.curves")


def test_a_rung_that_was_not_run_at_a_size_between_two_of_its_own_leads_where_its_line_does():
    points = {
        "tfidf": [(50, 0.5), (100, 0.6), (200, 0.70), (400, 0.72)],
        "both": [(50, 0.6), (100, 0.65), (200, 0.74), (400, 0.78)],
        "tuned": [(100, 0.7), (400, 0.8)],
    }
    assert leaders(points) == [(50, "both"), (100, "tuned"), (200, "tuned"), (400, "tuned")]


def test_who_leads_of_all_rungs_is_a_note_where_it_is_another_one():
    notes = caption().numbers["notes"]
    assert notes[0].startswith("Of all rungs, ")
    assert "the lead changes" in notes[0] or "The lead" not in notes[0]
    assert "TF-IDF beside MiniLM is ahead" in notes[0]


def test_a_difference_that_may_be_none_is_not_called_a_lead():
    words = {high: caption(low=-0.02, high=high).text for high in (-0.01, 0.001)}
    assert "chance" not in words[-0.01]
    assert words[0.001].endswith("; at 3,893 labels their order may be chance")
    assert caption(low=-0.008, high=0.001).text.endswith("they are level")


def test_the_number_of_labels_is_said_once_where_rungs_were_measured_at_one_alone():
    record = comparing("tfidf", "minilm-finetuned", low=-0.02, high=0.001)
    rows = [row for row in record.tables["curve"].rows() if row["labels"] == 3_893]
    alone = dataclasses.replace(record, tables={**record.tables, "curve": Table.of(rows, dict.fromkeys(rows[0], ""))})
    caption = with_captions(alone).finding("caption.curves")
    assert caption.text.endswith(" at 3,893 labels; their order may be chance")
    assert all(note.count("3,893 labels") == 1 for note in caption.numbers["notes"] if note.startswith("Of all"))


def test_of_two_rungs_with_the_same_scores_none_is_ahead():
    record = example()
    rows = [{**row, "score": 0.7} for row in record.tables["curve"].rows()]
    level = dataclasses.replace(record, tables={**record.tables, "curve": Table.of(rows, dict.fromkeys(rows[0], ""))})
    title = with_captions(level).finding("caption.curves").text
    assert title == "TF-IDF + linear and MiniLM (fine-tuned) score the same at every number of labels"
