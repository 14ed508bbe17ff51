"""The page of a plan of adapting: the change as dots, and three tables."""

from dataclasses import replace

import pytest
from caption_checks import CAPTION_CHECKS, captions
from changed import changed
from tests.studies.adaptation.conftest import corpus, model, one_thread, other, record, texts  # noqa: F401 - fixtures

from wordworth.reports import render
from wordworth.reports.adaptation import pass_sentence
from wordworth.reports.captions import with_captions


@pytest.mark.parametrize("check", CAPTION_CHECKS)
def test_the_record_holds_the_sentences_of_its_chart(record, check):  # noqa: F811
    check(record)


def test_changes_words_and_vocabularies_are_on_the_page(record):  # noqa: F811
    page = render(record)
    assert "The corpus teaches given the task" in page
    for words in ("bits a character", "after the control", "Words that texts share", "Vocabularies", "One pass over"):
        assert words in page
    assert "<b>mini" not in render(replace(record, data={**record.data, "model": "<b>mini</b>"}))


def test_a_model_without_a_head_has_tables_and_no_dots(record):  # noqa: F811
    bare = with_captions(changed(record, "texts", change=None, before=None))
    page = render(bare)
    assert captions(bare) == {}
    assert "What a trial run changes" not in page
    assert "What texts cost the model" in page


def test_what_a_pass_takes_is_said_in_minutes(record):  # noqa: F811
    timed = replace(record, timings={**record.timings, "pass": 120.0})
    assert "takes about 2 min on this machine" in pass_sentence(timed)
