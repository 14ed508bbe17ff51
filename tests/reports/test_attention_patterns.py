"""The page of a `patterns` record."""

import pytest
from caption_checks import CAPTION_CHECKS
from tests.studies.attention_patterns.test_tables import measured

from wordworth.records import Record
from wordworth.reports import render
from wordworth.reports.captions import with_captions
from wordworth.studies.attention_patterns.attention_gradients import TARGETS
from wordworth.studies.attention_patterns.findings import verdict
from wordworth.studies.attention_patterns.tables import tables_of


def record(of, random, **data):
    tables = tables_of(of, random, 100, 0)
    return with_captions(
        Record("patterns", {}, {"name": "t.csv", "model": "minilm", **data}, tables, [verdict(tables)])
    )


@pytest.mark.parametrize("check", CAPTION_CHECKS)
def test_the_record_holds_the_sentences_of_its_charts(check):
    check(record(measured(0), measured(1)))


def test_a_model_without_separators_has_no_gradients_to_them():
    of, random = measured(0), measured(1)
    for each in (of, random):
        each.gradients[TARGETS.index("separator")] = float("nan")
    page = render(record(of, random, model="gpt2"))
    assert "nan" not in page.partition("Gradient of the loss")[2].partition("</table>")[0]


def test_maps_the_plane_and_every_head_are_shown():
    page = render(record(measured(0), measured(1), name="t<b>.csv"))
    assert page.count('class="share"') == 3 * 2 * 6
    assert "Every head, as layer-head" in page
    assert "2-3" in page
    assert "random weights" in page
    assert "t<b>" not in page
