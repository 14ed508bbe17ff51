"""Tags have words of their own, for the score that the study has chosen."""

from dataclasses import asdict

from wordworth.reports.languages_wording import Wording, nearest_text_notes


def test_tags_differ_from_labels_of_texts_in_every_word():
    labels, tags = asdict(Wording()), asdict(Wording.of_tags("entity F1"))
    assert tags["score"] == "entity F1"
    assert [name for name in labels if labels[name] == tags[name]] == []


def test_answers_differ_from_labels_of_texts_in_every_word():
    labels, answers = asdict(Wording()), asdict(Wording.of_answers())
    assert answers["score"] == "answer F1"
    assert [name for name in labels if labels[name] == answers[name]] == []


def test_the_notes_on_nearest_texts_name_the_source_and_what_intervals_are_over():
    share, intervals = nearest_text_notes("English", "test pairs")
    assert "the texts in English whose nearest text" in share
    assert "intervals over test pairs" in intervals
