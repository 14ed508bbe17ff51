"""The page of a `context` record."""

import re
from dataclasses import replace

import context_record
import numpy as np
import pytest

from wordworth.errors import BadInput
from wordworth.records import Finding, Record, Table, read
from wordworth.reports import render
from wordworth.reports.charts import measure_by_layer
from wordworth.reports.charts.axes import Size
from wordworth.reports.charts.measure_by_layer import Curve, CurvesByLayer, LayerValue
from wordworth.reports.charts.palette import SeriesStyle
from wordworth.studies.contextuality import layer_measures

MEASURES = (
    "baseline", "self_similarity", "self_similarity_adjusted", "self_similarity_repeated", "self_similarity_centred",
    "intra_sentence", "between_words", "explained_literal", "explained_centred", "explained_published", "iso_score",
    "top_share", "length", "length_first",
)  # fmt: skip


def table(rows):
    return Table.of(rows, dict.fromkeys(rows[0], "")) if rows else Table({}, {})


def level(model, depth, measure, layer):
    static = depth == 0 and measure in {"explained_centred", "explained_published"}
    value = np.nan if static else 0.9 - 0.1 * layer
    row = {"model": model, "layer": layer, "measure": measure, "value": value, "low": value - 0.02}
    return {
        **row,
        "high": value + 0.02,
        "null": np.nan if measure.startswith("length") else 0.1,
        "number": 20,
        "of": "words",
    }


def example(models=(("minilm", 6), ("glove", 0)), *, stop=True):
    names = dict(models)
    rows = [level(m, d, measure, layer) for m, d in models for measure in MEASURES for layer in range(d + 1)]
    words = [
        {"model": m, "word": f"w{n}", "contexts": 30 + n, "occurrences": 40, "stop_word": False,
         "self_similarity": [1 - 0.01 * n] * (d + 1)}
        for m, d in models for n in range(30)
    ]  # fmt: skip
    ends = {f"{part}{end}": 0.5 for part in ("stop", "rest") for end in ("", "_low", "_high")}
    counts = {"difference": -0.2, "low": -0.3, "high": -0.1, "stop_words": 9, "other_words": 99, "variety": -0.3}
    stops = [{"model": m, "layer": n, **ends, **counts} for m, d in models for n in range(d + 1)] if stop else []
    about = [
        {"model": m, "layers": d, "width": 9, "unit": "words", "occurrences": 1234, "words": 30} for m, d in models
    ]
    grey = [{"model": "BERT", "measure": "baseline", "layer": n, "value": 0.03 * n} for n in range(13)]
    verdict = Finding(
        "verdict", "So it is.", {"headline": "minilm: layer 5.", "models": {m: {"layer": 0} for m in names}}
    )
    return Record(
        kind="context",
        settings={"units": "words", "limit": None},
        data={"name": "x.txt", "sentences": 99, "sources": [{"path": "x.txt", "sha256": "00", "rows": 120}]},
        tables={
            "models": table(about), "layers": table(rows), "words": table(words), "stop_words": table(stops),
            "published": table(grey), "measures": table([{"measure": "baseline", "meaning": "a", "null": "b"}]),
        },
        findings=[verdict, Finding("warning.x", "Mind this."), Finding("method.1", "Thus.")],
        timings={"seconds": {"minilm": 3.2}},
        environment={"versions": {"numpy": "2"}, "date": "2026-11-21", "cpu": "a CPU"},
    )  # fmt: skip


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


def test_what_is_undefined_for_a_static_table_is_said_and_not_drawn_as_zero():
    page = render(example())
    figure = page.split('data-chart="explained_centred"')[1].split("</figure>")[0]
    assert "Undefined for glove" in figure
    alone = render(example((("glove", 0),)))
    assert "a static table" in alone.split('data-chart="explained_centred"')[1].split("</figure>")[0]


def test_a_page_is_the_same_before_and_after_saving(tmp_path):
    record = example()
    record.save(tmp_path / "record.json")
    assert render(read(tmp_path / "record.json")) == render(record)


def test_names_of_models_are_escaped_and_many_models_fit():
    models = tuple((f"<i>model {n} with a long name", 4 + n) for n in range(7))
    page = render(example(models))
    assert "<i>model" not in page
    assert page.count("way from the input layer to the top") >= 10


def test_text_without_stop_words_has_no_panel_of_them():
    assert 'data-chart="stop_words"' not in render(example(stop=False))
    assert 'data-chart="stop_words"' in render(example())


def test_warnings_method_and_words_are_on_the_page():
    page = render(example())
    for words in ("Mind this.", "Thus.", "most changed by context, layer 0", "Measures and their nulls"):
        assert words in page


def test_several_models_are_answered_in_a_list_and_one_in_a_sentence():
    record = example()
    assert '<p class="sentences">So it is.</p>' in render(record)
    several = replace(record, findings=[replace(record.findings[0], text="m: low.\nn: high."), *record.findings[1:]])
    answer = render(several).split('<ul class="sentences">')[1].split("</ul>")[0]
    assert re.findall("<li>(.*)</li>", answer) == ["m: low.", "n: high."]


def test_which_words_are_listed_is_said():
    page = render(replace(example(), settings={"contexts": 5}))
    assert "Only words in 20 or more different sentences" in page
    assert "the measures count words from 5 on" in page


def test_settings_are_called_what_they_are():
    page = render(replace(example(), settings={"sentences": 5000, "limit": None, "seed": 3}))
    rows = page.split("<summary>Settings</summary>")[1].split("</tbody>")[0].split("<tr")[2:]
    told = dict(re.findall(r'class="value">(.*?)</span>', row) for row in rows)
    assert told["sentences drawn for similarity within sentences, at most"] == "5000"
    assert told["different sentences read at most"] == "all"
    assert told["seed"] == "3"


def title(page, name):
    return page.split(f'id="{name}-title">')[1].split("</h3>")[0]


def test_a_title_tells_the_layer_of_the_answer_and_every_model():
    bent = example((("minilm", 2),))
    values = iter([0.9, 0.59, 0.65])
    rows = [{**row, "value": next(values)} if row["measure"] == "self_similarity_adjusted" else row
            for row in bent.tables["layers"].rows()]  # fmt: skip
    one = render(replace(bent, tables={**bent.tables, "layers": table(rows)}))
    assert "minilm from 0.90 at the input to 0.59 at layer 1, 0.65 at the top" in title(one, "self_similarity_adjusted")
    several = render(example((("minilm", 6), ("mini", 4), ("glove", 0))))
    for name in MEASURES:
        told = title(several, name)
        assert "minilm 0.90 to 0.30 (layer 6), mini 0.90 to 0.50 (layer 4)" in told, name
        assert ("glove 0.90" in told) == (name not in {"explained_centred", "explained_published"}), name
    stops = several.split('data-chart="stop_words"')[1].split("</figure>")[0]
    assert "in minilm: stop words 0.20 less at the top" in stops
    assert "In mini: stop words 0.20 less at the top." in stops


def test_several_models_come_with_a_warning_not_to_compare_heights_over_their_own_baselines():
    assert "Each model has its own baseline taken off" in render(example())
    assert "its own baseline taken off" not in render(example((("minilm", 6),)))


def test_curves_with_repetitions_that_would_coincide_are_a_sentence_and_no_panel():
    record, told = example(), {"name": "x.txt", "sentences": 99, "sources": []}
    level = [{**row, "null": row["value"] - 0.001} if row["measure"] == "self_similarity_repeated" else row
             for row in record.tables["layers"].rows()]  # fmt: skip
    same = replace(record, tables={**record.tables, "layers": table(level)}, data={**told, "given": 99})
    assert 'data-chart="self_similarity_repeated"' not in render(same)
    assert "No sentence is repeated." in render(same)
    assert "21 of 120 sentences repeat another; with them" in render(replace(same, data={**told, "given": 120}))
    apart = render(replace(record, data={**told, "given": 120}))
    assert 'data-chart="self_similarity_repeated"' in apart
    assert "sentences repeat another; with them" not in apart


@pytest.mark.parametrize("size", [Size("wide", 552, 300), Size("phone", 358, 300)])
def test_curves_differ_in_shape_as_well_as_colour_and_stay_inside(size):
    levels = tuple(LayerValue(n, 0.5 + 0.1 * n, 0.4 + 0.1 * n, 0.6 + 0.1 * n, 0.0) for n in range(3))
    models = (
        Curve("BERT 2019", 12, tuple(LayerValue(n, 0.02 * n) for n in range(13))),
        Curve("first", 2, levels, SeriesStyle(6, "circle")),
        Curve("second", 2, levels, SeriesStyle(7, "square")),
    )
    drawing = measure_by_layer.draw(CurvesByLayer(models, "cosine", lambda value: f"{value:.2f}"), size, "x")
    assert drawing.svg.count("<circle") == 3
    assert drawing.svg.count("<polygon") == 3
    numbers = [float(n) for d in re.findall(r' d="([^"]+)"', drawing.svg) for n in re.findall(r"[\d.]+", d)]
    assert max(numbers) <= size.width
    assert [stop.title for stop in drawing.stops] == ["layer 0", "layer 1", "layer 2"]
    said = [line for _, line in drawing.stops[1].lines]
    assert "first 0.60 (0.50 to 0.70), null 0.00" in said
    assert "BERT 2019 layer 6 0.12" in said


@pytest.mark.parametrize(("low", "high"), [(-0.2, 0.0), (0.0, 0.2)])
def test_an_interval_that_ends_at_nothing_is_said(low, high):
    one = Curve("m", 1, tuple(LayerValue(n, 0.1, low, high) for n in range(2)), SeriesStyle(6, "circle"))
    drawing = measure_by_layer.draw(
        CurvesByLayer((one,), "cosine", lambda value: f"{value:.1f}"), Size("wide", 552, 300), "x"
    )
    assert drawing.stops[0].lines[0][1] == f"m 0.1 ({low:.1f} to {high:.1f})"


def test_a_table_beside_a_model_is_drawn_across_and_told_at_every_layer():
    model = Curve("minilm", 2, tuple(LayerValue(layer, 0.1 * layer) for layer in range(3)), SeriesStyle(6, "circle"))
    flat = Curve("glove", 0, (LayerValue(0, 0.9, null=0.5),), SeriesStyle(7, "square"))
    drawing = measure_by_layer.draw(
        CurvesByLayer((model, flat), "cosine", lambda value: f"{value:.1f}"), Size("wide", 552, 300), "x"
    )
    assert [sum("glove 0.9" in said for _, said in stop.lines) for stop in drawing.stops] == [1, 1, 1]
    assert "direct strong halo" not in drawing.svg


def test_a_record_without_its_words_has_a_page_without_that_section():
    record = example()
    assert "Dashed grey" in render(record)
    page = render(replace(record, tables={n: t for n, t in record.tables.items() if n not in {"words", "published"}}))
    assert "Dashed grey" not in page
    assert "most changed by context" not in page
    assert "Which words" not in page
    assert "2019</text>" not in page


def test_a_record_without_its_layers_has_none():
    record = example()
    with pytest.raises(BadInput, match="lacks 'layers'"):
        render(replace(record, tables={n: t for n, t in record.tables.items() if n != "layers"}))


def test_negative_numbers_have_a_true_minus_sign():
    cells = re.findall(r'<span class="value">([^<]*)</span>', render(context_record.example()))
    assert [cell for cell in cells if re.fullmatch(r"-[\d.]+", cell)] == []
    assert [cell for cell in cells if re.fullmatch(r"−[\d.]+", cell)]
