"""The section of probes: a row for each probe and baseline, with random weights and what is published beside it."""

import pytest
from caption_checks import CAPTION_CHECKS
from changed import with_table
from tests.reports.test_syntactic_relations import record as without_probes

from wordworth.records import Table
from wordworth.reports import render
from wordworth.reports.captions import with_captions
from wordworth.studies.syntactic_relations.probe_tables import DIFFERENCES, PROBES

ROW = {**dict.fromkeys(PROBES), "words": 90, "low": 0.5, "high": 0.7}
SYSTEMS = [
    {**ROW, "system": "attention and words", "uas": 0.6, "published": 0.77, "parameters": 110_736,
     "again": -0.01, "again_low": -0.02, "again_high": 0.01},
    {**ROW, "system": "right-branching", "uas": 0.32, "published": 0.263},
    {**ROW, "system": "attention and words, random weights", "uas": 0.3, "parameters": 110_736},
]  # fmt: skip
ENDS = {"low": 0.01, "high": 0.2}
GAPS = [
    {"first": first, "second": second, "difference": 0.1, **ENDS, "ahead": published is None, "published": published}
    for first, second, published in (
        ("attention and words", "words alone", None),
        ("attention alone", "right-branching", 0.347),
    )
]


def record():
    with_probes = with_table(without_probes(), "probes", Table.of(SYSTEMS, PROBES))
    return with_captions(with_table(with_probes, "probe_differences", Table.of(GAPS, DIFFERENCES)))


@pytest.mark.parametrize("check", CAPTION_CHECKS)
def test_the_record_holds_the_sentences_of_its_charts(check):
    check(record())


def test_probes_stand_beside_random_weights_and_what_is_published():
    page = render(record()).replace("\N{NO-BREAK SPACE}", " ")
    assert "The best probe, attention and words, finds 60 % of the syntactic heads" in page
    assert "1 of 2 differences between probes and their controls are surely above 0" in page
    for words in ("110,736", "−1.0", "random weights 30 %", "published 77 %", "+34.7"):
        assert words in page, words


def test_a_record_without_probes_has_no_such_section():
    page = render(without_probes())
    assert "Probes and baselines" not in page
    assert "Relations" in page
