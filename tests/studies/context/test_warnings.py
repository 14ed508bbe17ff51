"""What could mislead, and how it was done, in words."""

from dataclasses import replace

import numpy as np
import pytest
from tests.studies.context import made_up
from tests.studies.context.test_study import look

from wordworth.models.length_batching import LengthReport
from wordworth.studies.context.layer_measures import LayerCurve, compute_measures
from wordworth.studies.context.sentences import Sentences
from wordworth.studies.context.verdict import method, warnings


@pytest.fixture(scope="module")
def seen():
    return look()


def test_texts_that_were_read_in_windows_are_counted_and_told(seen):
    read = Sentences(made_up.sentences(), np.ones(300, np.int64), "x.txt", "0", 300)
    some, none = (
        {one.name: one for one in warnings([(replace(seen, lengths=lengths), compute_measures(seen))], read)}
        for lengths in (LengthReport(texts=300, limit=24, windowed=7), LengthReport(texts=300, limit=24))
    )
    assert some["warning.long_texts.made-up"].numbers == {"windowed": 7, "texts": 300, "limit": 24}
    assert "7 texts of 300 did not fit into 24 tokens" in some["warning.long_texts.made-up"].text
    assert "warning.long_texts.made-up" not in none


def test_what_the_last_layer_of_a_pre_norm_model_is_stands_in_the_method(seen):
    gpt = replace(seen, name="gpt", top="after the final norm")
    told = method([(seen, {}), (gpt, {})])[0].text
    assert "The last layer of gpt is taken after the final norm." in told
    assert "The last layer of made-up" not in told


def told(seen, **changes):
    """The warnings of one look, its measures changed."""
    read = Sentences(made_up.sentences(), np.ones(300, np.int64), "x.txt", "0", 300)
    return {one.name: one.text for one in warnings([(seen, {**compute_measures(seen), **changes})], read)}


def test_dimensions_that_make_the_cosines_are_warned_of_in_a_model_and_not_in_a_static_table(seen):
    def flat(value, layers):
        return LayerCurve(np.full(layers, value), np.full((9, layers), value), np.zeros(layers), 9, "words")

    rogue = {"top_share": 0.9, "baseline": 0.4}
    model = told(seen, **{name: flat(value, 3) for name, value in rogue.items()})
    assert "look at the mean-centred self-similarity" in model["warning.rogue.made-up"]
    table = told(seen, **{name: flat(value, 1) for name, value in rogue.items()})  # centred, it is 1 by definition
    assert "warning.rogue.made-up" not in table


def test_iso_score_of_too_few_points_is_told_with_the_null_to_read_it_beside(seen):
    pool = np.zeros((3, 90, 24), np.float32)
    few = replace(seen, collected=replace(seen.collected, pool=pool))
    read = Sentences(made_up.sentences(), np.ones(300, np.int64), "x.txt", "0", 300)
    said = {one.name: one.text for one in warnings([(few, compute_measures(seen))], read)}["warning.iso_score.made-up"]
    assert f"would score {compute_measures(seen)['iso_score'].null[0]:.2f}, not 1" in said


def test_few_words_are_warned_of_with_what_to_do(seen):
    assert "give more sentences, some hundreds at least" in told(seen)["warning.few_words.made-up"]
