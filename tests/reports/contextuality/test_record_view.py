from dataclasses import replace

from tests.reports.context_by_layer import example, table

from wordworth.reports.contextuality.record_view import GROUPS, PANELS, View


def repeated(difference):
    """The view of a record in which repeated sentences change self-similarity by this much."""
    record = example()
    rows = [
        {**row, "null": row["value"] - difference} if row["measure"] == "self_similarity_repeated" else row
        for row in record.tables["layers"].rows()
    ]
    return View.of(replace(record, tables={**record.tables, "layers": table(rows)}))


def test_repeated_sentences_have_a_panel_where_they_change_a_curve_visibly():
    for difference, matters in ((0.1, True), (0.001, False)):
        view = repeated(difference)
        assert view.repetitions_matter is matters
        assert ("self_similarity_repeated" in view.measures) is matters


def test_a_static_table_has_no_curve_of_a_measure_without_values():
    view = View.of(example())
    assert [curve.name for curve in view.curves("self_similarity")] == ["minilm", "glove"]
    assert [curve.name for curve in view.curves("explained_centred")] == ["minilm"]


def test_stop_words_are_those_of_models_with_layers():
    assert list(View.of(example()).stop_words) == ["minilm"]
    assert not View.of(example(stop=False)).stop_words


def test_every_measure_is_in_one_group():
    assert sorted(PANELS) == sorted(measure for panels in GROUPS.values() for measure in panels)
