from dataclasses import replace

from tests.reports.context_by_layer import MEASURES, example, table

from wordworth.reports import render


def test_what_is_undefined_for_a_static_table_is_said_and_not_drawn_as_zero():
    page = render(example())
    figure = page.split('data-chart="explained_centred"')[1].split("</figure>")[0]
    assert "Undefined for glove" in figure
    alone = render(example((("glove", 0),)))
    assert "a static table" in alone.split('data-chart="explained_centred"')[1].split("</figure>")[0]


def title(page, name):
    return page.split(f'id="{name}-title">')[1].split("</h3>")[0]


def test_a_title_tells_the_layer_of_the_answer_and_every_model():
    bent = example((("minilm", 2),))
    values = iter([0.9, 0.59, 0.65])
    rows = [{**row, "value": next(values)} if row["measure"] == "self_similarity_adjusted" else row
            for row in bent.tables["layers"].rows()]  # fmt: skip
    single_layer = render(replace(bent, tables={**bent.tables, "layers": table(rows)}))
    assert "minilm from 0.90 at the input to 0.59 at layer 1, 0.65 at the top" in title(
        single_layer, "self_similarity_adjusted"
    )
    several = render(example((("minilm", 6), ("mini", 4), ("glove", 0))))
    for name in MEASURES:
        words = title(several, name)
        assert "minilm 0.90 to 0.30 (layer 6), mini 0.90 to 0.50 (layer 4)" in words, name
        assert ("glove 0.90" in words) == (name not in {"explained_centred", "explained_published"}), name
    stops = several.split('data-chart="stop_words"')[1].split("</figure>")[0]
    assert "in minilm: stop words 0.20 less at the top" in stops
    assert "In mini: stop words 0.20 less at the top." in stops


def test_several_models_come_with_a_warning_not_to_compare_heights_over_their_own_baselines():
    assert "Each model has its own baseline taken off" in render(example())
    assert "its own baseline taken off" not in render(example((("minilm", 6),)))


def test_curves_with_repetitions_that_would_coincide_are_a_sentence_and_no_panel():
    record, words = example(), {"name": "x.txt", "sentences": 99, "sources": []}
    level = [{**row, "null": row["value"] - 0.001} if row["measure"] == "self_similarity_repeated" else row
             for row in record.tables["layers"].rows()]  # fmt: skip
    same = replace(record, tables={**record.tables, "layers": table(level)}, data={**words, "given": 99})
    assert 'data-chart="self_similarity_repeated"' not in render(same)
    assert "No sentence is repeated." in render(same)
    assert "21 of 120 sentences repeat another; with them" in render(replace(same, data={**words, "given": 120}))
    apart = render(replace(record, data={**words, "given": 120}))
    assert 'data-chart="self_similarity_repeated"' in apart
    assert "sentences repeat another; with them" not in apart
