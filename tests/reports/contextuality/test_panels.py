from dataclasses import replace

from tests.reports.context_by_layer import MEASURES, example, table

from wordworth.reports import render
from wordworth.studies.contextuality import layer_measures


def test_every_measure_has_a_panel_with_a_band_and_its_null():
    page = render(example())
    assert set(MEASURES) == set(layer_measures.MEASURES)  # of the study
    for name in MEASURES:
        figure = page.split(f'data-chart="{name}"')[1].split("</figure>")[0]
        assert figure.count("<svg") == 2, name
        assert 'class="band' in figure, name
        assert ("null-of" in figure) == (not name.startswith("length")), name


def test_what_was_not_measured_has_no_panel():
    record = example()
    rows = [row for row in record.tables["layers"].rows() if row["measure"] != "length_first"]
    page = render(replace(record, tables={**record.tables, "layers": table(rows)}))
    assert 'data-chart="length"' in page
    assert 'data-chart="length_first"' not in page


def test_the_papers_own_curve_is_there_where_it_has_the_measure():
    page = render(example())
    baseline = page.split('data-chart="baseline"')[1].split("</figure>")[0]
    assert "BERT 2019" in baseline
    assert 'stroke-dasharray="7 3"' in baseline
    assert "2019" not in page.split('data-chart="iso_score"')[1].split("</figure>")[0]


def test_text_without_stop_words_has_no_panel_of_them():
    assert 'data-chart="stop_words"' not in render(example(stop=False))
    assert 'data-chart="stop_words"' in render(example())
