"""What the study says in words, from measures whose answer is known."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from tests.studies.context import made_up
from tests.studies.context.test_study import look

from wordworth.models.schedule import LengthReport
from wordworth.studies.context.measures import Measured, measured
from wordworth.studies.context.report import lowest, method, verdict, warnings
from wordworth.studies.context.sentences import Sentences


def curve(*values, noise=0.0, shared=0.0, seed=0):
    """A measure of these values by layer; its draws stray together by `shared` and each alone by `noise`."""
    rng, wide = np.random.default_rng(seed), (400, len(values))
    draws = np.array(values) + shared * rng.normal(size=(400, 1)) + noise * rng.normal(size=wide)
    return Measured(np.array(values, float), draws, np.zeros(len(values)), 50, "words")


def found(name, alike, centred=None):
    flat = curve(*[0.5] * len(alike.value))
    named = {"baseline": flat, "explained_literal": flat, "self_similarity_centred": centred or alike}
    return SimpleNamespace(name=name), {**named, "self_similarity_adjusted": alike}


def headline(*models):
    return verdict(models).numbers["headline"]


def test_a_layer_that_is_surely_lowest_is_named_alone():
    clear = curve(0.6, 0.3, 0.4, shared=0.2)
    assert lowest(clear) == [1]  # each layer strays by more than they differ, but all stray together
    assert headline(found("m", clear)) == "m: most contextual at layer 1 of 2."


def test_all_layers_that_cannot_be_told_from_the_lowest_are_named():
    level = curve(0.6, 0.31, 0.5, 0.30, 0.305, noise=0.02)
    said = verdict([found("m", level)])
    assert said.numbers["headline"] == "m: most contextual at layers 1, 3 and 4 of 4."
    assert said.numbers["models"]["m"]["layers"] == [1, 3, 4]
    assert "Which of layers 1, 3 and 4 is lowest these sentences cannot tell." in said.text


def test_of_many_layers_that_are_alike_each_is_called_higher_than_the_lowest_in_few_of_a_hundred_studies():
    rng, left_out = np.random.default_rng(5), 0
    for study in range(600):
        level = curve(*rng.normal(size=13), noise=1.0, seed=study)
        left_out += study % 13 not in lowest(level)
    assert left_out / 600 < 0.08  # interval by interval: 0.17


def test_an_encoder_whose_lowest_layer_is_its_input_is_not_said_to_be_static():
    said = verdict([found("m", curve(0.3, 0.5, 0.6, noise=0.001))])
    assert said.numbers["headline"] == "m: most contextual at layer 0 of 2."
    assert "at the input, the least of all layers" in said.text


def test_context_changes_nothing_in_a_table():
    assert headline(found("glove", curve(0.7))) == "Context changes nothing here."
    both = headline(found("glove", curve(0.7)), found("m", curve(0.5, 0.2)), found("n", curve(0.1, 0.2)))
    assert both == "Most contextual: m layer 1 of 1, n layer 0 of 1."


def test_the_centred_measure_is_only_said_to_disagree_where_it_surely_does():
    plain = curve(0.6, 0.2, 0.4)
    assert "mean vector taken off" not in verdict([found("m", plain, curve(0.6, 0.31, 0.30, noise=0.05))]).text
    assert "at layer 2 (0.10)" in verdict([found("m", plain, curve(0.6, 0.31, 0.10, noise=0.01))]).text


@pytest.fixture(scope="module")
def seen():
    return look()


def test_texts_that_were_read_in_windows_are_counted_and_told(seen):
    read = Sentences(made_up.sentences(), np.ones(300, np.int64), "x.txt", "0", 300)
    some, none = (
        {one.name: one for one in warnings([(replace(seen, lengths=lengths), measured(seen))], read)}
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
