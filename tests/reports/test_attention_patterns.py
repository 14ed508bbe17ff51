"""The page of a `patterns` record."""

from tests.studies.attention_patterns.test_tables import measured

from wordworth.records import Record
from wordworth.reports import render
from wordworth.studies.attention_patterns.attention_gradients import TARGETS
from wordworth.studies.attention_patterns.findings import verdict
from wordworth.studies.attention_patterns.tables import tables_of


def test_a_model_without_separators_has_no_gradients_to_them():
    of, random = measured(0), measured(1)
    for each in (of, random):
        each.gradients[TARGETS.index("separator")] = float("nan")
    tables = tables_of(of, random, 100, 0)
    page = render(Record("patterns", {}, {"name": "t.csv", "model": "gpt2"}, tables, [verdict(tables)]))
    assert "nan" not in page.partition("Gradient of the loss")[2].partition("</table>")[0]


def test_maps_the_plane_and_every_head_are_shown():
    tables = tables_of(measured(0), measured(1), 100, 0)
    data = {"name": "t<b>.csv", "model": "minilm"}
    page = render(Record("patterns", {}, data, tables, [verdict(tables)]))
    assert page.count('class="share"') == 3 * 2 * 6
    assert "Every head, as layer-head" in page
    assert "2-3" in page
    assert "random weights" in page
    assert "t<b>" not in page
