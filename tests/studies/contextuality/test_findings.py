"""What the study answers, from measures whose answer is known."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
from tests.studies.contextuality import made_up

from wordworth.models.length_batching import LengthReport
from wordworth.studies.contextuality.findings import MostContextualLayers, lowest, method, verdict, warnings
from wordworth.studies.contextuality.layer_measures import LayerCurve, compute_measures
from wordworth.studies.contextuality.read_sentences import Sentences


def curve(*values, noise=0.0, shared=0.0, seed=0, words=50):
    """A measure of these values by layer; its draws stray together by `shared` and each alone by `noise`."""
    rng, wide = np.random.default_rng(seed), (400, len(values))
    draws = np.array(values) + shared * rng.normal(size=(400, 1)) + noise * rng.normal(size=wide)
    return LayerCurve(np.array(values, float), draws, np.zeros(len(values)), words, "words")


def found(name, alike, centred=None, *, rogue=()):
    """A model by its two measures; three dimensions make most of the baseline at the layers `rogue`."""
    layers = len(alike.value)
    flat, few = curve(*[0.5] * layers), curve(*[0.9 if layer in rogue else 0.1 for layer in range(layers)])
    named = {"baseline": flat, "explained_literal": flat, "top_share": few}
    return SimpleNamespace(name=name), {
        **named, "self_similarity_adjusted": alike, "self_similarity_centred": centred or alike,
    }  # fmt: skip


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
    assert "least alike at layer 1, 3 or 4 (" in said.text


def test_of_many_layers_that_are_alike_each_is_called_higher_than_the_lowest_in_few_of_a_hundred_studies():
    rng, left_out = np.random.default_rng(5), 0
    for study in range(600):
        level = curve(*rng.normal(size=13), noise=1.0, seed=study)
        left_out += study % 13 not in lowest(level)
    assert left_out / 600 < 0.08  # interval by interval: 0.17


def test_an_encoder_whose_lowest_layer_is_its_input_is_not_said_to_be_static():
    said = verdict([found("m", curve(0.3, 0.5, 0.6, noise=0.001))])
    assert said.numbers["headline"] == "m: most contextual at layer 0 of 2."
    assert "least alike at layer 0 (" in said.text
    assert "the same vector in every context" not in said.text


def test_context_changes_nothing_in_a_table():
    assert headline(found("glove", curve(0.7))) == "Context changes nothing here."
    both = headline(found("glove", curve(0.7)), found("m", curve(0.5, 0.2)), found("n", curve(0.1, 0.2)))
    assert both == "Most contextual: m layer 1 of 1, n layer 0 of 1."


def test_measures_that_surely_name_different_layers_are_not_told_as_one():
    plain = curve(0.6, 0.2, 0.4)
    alike = verdict([found("m", plain, curve(0.6, 0.31, 0.30, noise=0.05))])
    assert alike.numbers["headline"] == "m: most contextual at layer 1 of 2."
    assert "with the mean vector subtracted, at layer 1 or 2 (0.30)" in alike.text
    same = verdict([found("m", plain, curve(0.6, 0.31, 0.50, noise=0.01))])
    assert "with the mean vector subtracted, the same (0.31)" in same.text
    apart = verdict([found("m", plain, curve(0.6, 0.31, 0.10, noise=0.01))])
    assert apart.numbers["headline"] == "m: most contextual at layer 1 or 2 of 2."
    assert "The measures do not agree on a layer." in apart.text
    assert "by the published measure a word's occurrences are least alike at layer 1" in apart.text
    assert "with the mean vector subtracted, at layer 2 (0.10)" in apart.text
    several = verdict([found("m", plain, curve(0.6, 0.3, 0.1)), found("n", plain), found("t", curve(0.7))])
    assert several.numbers["headline"] == "Most contextual: m layer 1 or 2 of 2, n layer 1 of 2."
    assert ["do not agree" in line for line in several.text.split("\n")] == [True, False, False]


def test_a_layer_whose_cosines_three_dimensions_make_is_not_named_without_saying_so():
    said = verdict([found("m", curve(0.6, 0.2, 0.4), rogue=(1,))])
    assert said.numbers["headline"] == "m: most contextual at layer 1 of 2."
    assert "Three dimensions make more than half of the average cosine at layer 1." in said.text
    both = verdict([found("m", curve(0.6, 0.2, 0.4), rogue=(1,)), found("n", curve(0.6, 0.2, 0.4), rogue=(2,))])
    assert both.numbers["headline"] == "Most contextual: m layer 1 of 2, n layer 1 of 2."
    assert ["Three dimensions" in line for line in both.text.split("\n")] == [True, False]
    level = verdict([found("m", curve(0.6, 0.2, 0.2), rogue=(1,))])
    assert level.numbers["headline"] == "m: most contextual at layer 2 of 2."
    assert "Three dimensions" not in level.text


def test_the_headline_is_one_clause_whatever_speaks_against_it():
    plain, apart = curve(0.6, 0.2, 0.4), curve(0.6, 0.3, 0.1)
    models = (found("m", plain, apart), found("n", plain, rogue=(1,)))
    for some in (models, models[:1], models[1:]):
        assert ";" not in headline(*some)
        assert headline(*some).count(":") == 1
        assert "though" not in headline(*some)


def test_words_are_looked_at_in_a_layer_that_is_not_doubted_as_long_as_there_is_one():
    plain, centred = curve(0.9, 0.4, 0.3, 0.5), curve(0.9, 0.5, 0.4, 0.3)
    for rogue, start in (((), 3), ((2,), 3), ((3,), 2), ((2, 3), 1), ((1, 2, 3), 3)):
        (_, measures) = found("m", plain, centred, rogue=rogue)
        assert MostContextualLayers.of(measures).explorer_layer == start, rogue
        assert verdict([(SimpleNamespace(name="m"), measures)]).numbers["models"]["m"]["layer"] == start


def test_each_of_several_models_has_a_line_and_the_paper_its_measure():
    several = verdict([found("m", curve(0.6, 0.2)), found("n", curve(0.5, 0.3)), found("glove", curve(0.7))]).text
    assert [line.split(":")[0] for line in several.split("\n")] == ["m", "n", "glove"]
    assert max(map(len, several.split("\n"))) < 200
    assert "one fixed vector per word explains" in verdict([found("m", curve(0.6, 0.2))]).text


def test_an_answer_from_a_handful_of_words_says_so_at_once():
    assert "This rests on only 14 words" in verdict([found("m", curve(0.6, 0.2, words=14))]).text
    assert "Only" not in verdict([found("m", curve(0.6, 0.2, words=50))]).text


def test_a_cosine_below_that_of_any_two_is_not_said_to_be_above_it():
    assert "their cosine is 0.20 above that of any two" in verdict([found("m", curve(0.6, 0.2))]).text
    assert "their cosine minus that of any two is −0.20" in verdict([found("m", curve(0.6, -0.2))]).text


def test_long_first_vectors_are_warned_of_with_the_option_that_leaves_them_out(seen):
    layers = len(compute_measures(seen)["length"].value)
    long = {"length": curve(*[1.0] * layers), "length_first": curve(*[5.0] * layers)}
    assert "the option no-first; in Python first=False" in told(seen, **long)["warning.giant_first.made-up"]


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
