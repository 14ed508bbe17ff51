"""Masked language modelling: how many places, which, and what stands there; and what wrong answers cost."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2_contingency, chisquare
from tests.training.objectives.instances import (
    CONTINUATIONS,
    MARKS,
    PIECES,
    SPECIAL,
    VOCABULARY,
    instances,
    many,
    texts,
)
from tests.training.objectives.masking import reference
from torch.nn import functional

from wordworth.errors import BadInput
from wordworth.models.batch import Batch
from wordworth.models.families.bert import BertConfig, bert
from wordworth.models.lm_heads import word_table
from wordworth.models.transformer import init_weights
from wordworth.training.cross_entropy import cross_entropy
from wordworth.training.objectives.masking.masking_units import SingleTokens, Spans, WholeWords
from wordworth.training.objectives.masking.phrases import Phrases
from wordworth.training.objectives.mlm import MaskedLanguageModel, Rates
from wordworth.training.objectives.objective import ModelOutput

RULES = [SingleTokens(), WholeWords(), Spans()]


def prepared(made, seed=0, **choices):
    return MaskedLanguageModel(vocabulary=VOCABULARY, **choices).prepare(made, np.random.default_rng(seed))


def test_places_asked_for_by_length():
    lengths = np.array([3, 10, 30, 50, 64, 70, 100, 128, 384, 512])
    assert Rates().quota(lengths).tolist() == [1, 2, 4, 8, 10, 10, 15, 19, 58, 77]


@given(length=st.integers(1, 2000), share=st.floats(0.01, 1), most=st.none() | st.integers(1, 90))
def test_the_quota_rounds_as_python_does(length, share, most):
    assert Rates(share=share, most=most).quota(np.array([length])).tolist() == [reference.quota(length, share, most)]


@pytest.mark.parametrize("rule", [SingleTokens(), WholeWords()], ids=lambda rule: type(rule).__name__)
def test_of_the_chosen_places_8_in_10_are_masked_and_1_in_10_is_drawn_and_1_in_10_stays(rule):
    made = many(5500, 128)
    read, targets = prepared(made, masking_unit=rule)
    now, before = read.ids[targets.positions], made.ids[targets.positions]
    assert len(targets) > 100_000
    assert np.array_equal(before, targets.labels)
    masked, kept = now == SPECIAL["mask"], now == before
    by_chance = 0.1 / PIECES  # a draw may give [MASK] or the piece itself
    assert masked.mean() == pytest.approx(0.8 + by_chance, abs=0.005)
    assert kept.mean() == pytest.approx(0.1 + by_chance, abs=0.005)
    drawn = np.bincount(now[~masked & ~kept], minlength=PIECES)
    assert drawn[SPECIAL["pad"]] > 0  # the whole vocabulary, special tokens too
    assert drawn[5:].min() > 0


def test_the_plain_replacement_has_the_same_shares():  # the specification
    rng = np.random.default_rng(0)
    now = np.array([reference.replacement(7, 4, PIECES, rng.random) for _ in range(50_000)])
    assert (now == 4).mean() == pytest.approx(0.8, abs=0.006)
    assert (now == 7).mean() == pytest.approx(0.1, abs=0.005)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: type(rule).__name__)
@given(given=texts(), seed=st.integers(0, 99))
def test_marks_are_never_masked_and_nothing_changes_but_the_chosen_places(rule, given, seed):
    made = instances(given)
    read, targets = prepared(made, seed, masking_unit=rule)
    assert not np.isin(targets.labels, MARKS).any()
    untouched = np.setdiff1d(np.arange(len(made.ids)), targets.positions)
    assert np.array_equal(read.ids[untouched], made.ids[untouched])
    assert np.array_equal(read.segments, made.segments)
    assert (np.diff(targets.positions) > 0).all()
    asked = np.bincount(np.searchsorted(made.starts, targets.positions, side="right") - 1, minlength=len(given))
    quota = np.array([reference.quota(len(text) + 2) for text in given])
    assert (asked <= np.minimum(quota, list(map(len, given)))).all()
    if isinstance(rule, SingleTokens):
        assert np.array_equal(asked, np.minimum(quota, list(map(len, given))))


@given(given=texts(), seed=st.integers(0, 99))
def test_whole_words_lose_all_their_pieces_or_none(given, seed):
    made = instances(given)
    _, targets = prepared(made, seed, masking_unit=WholeWords())
    chosen = np.zeros(len(made.ids), dtype=bool)
    chosen[targets.positions] = True
    inner = np.flatnonzero(CONTINUATIONS[made.ids] & ~np.isin(made.ids, MARKS))
    inner = inner[~np.isin(made.ids[inner - 1], MARKS)]
    assert np.array_equal(chosen[inner], chosen[inner - 1])


LISTED = frozenset({(7, 8), (9, 130, 10), (11, 12, 13, 14)})
UNITS = [SingleTokens(), WholeWords(), Phrases(LISTED)]


@given(given=texts(), seed=st.integers(0, 99))
def test_a_phrase_is_masked_whole_or_not_at_all(given, seed):
    given = [[7 + id_ % 8 if id_ < 120 else 130 for id_ in text] for text in given]
    made = instances(given)
    _, targets = prepared(made, seed, masking_unit=Phrases(LISTED), rates=Rates(share=0.4))
    chosen = np.zeros(len(made.ids), dtype=bool)
    chosen[targets.positions] = True
    start = 0
    for text in given:
        place = start + 1
        for unit in reference.phrases(text, [not index or id_ < 120 for index, id_ in enumerate(text)], LISTED):
            assert chosen[place : place + len(unit)].sum() in {0, len(unit)}
            place += len(unit)
        start += len(text) + 2


@pytest.fixture(scope="module")
def long_units():
    """Texts of 100 tokens with many phrases of two, three and four tokens."""
    rng = np.random.default_rng(0)
    parts = [*map(list, LISTED), *([id_] for id_ in range(20, 60))]
    made = [[id_ for part in rng.integers(len(parts), size=90) for id_ in parts[part]][:98] for _ in range(600)]
    return instances(made)


@pytest.mark.parametrize("rule", UNITS, ids=lambda rule: type(rule).__name__)
def test_every_unit_has_the_same_budget_of_masked_tokens(rule, long_units):
    _, targets = prepared(long_units, masking_unit=rule)
    number = len(long_units.ids)
    assert abs(len(targets) / number - 0.15) < 3 * math.sqrt(0.15 * 0.85 / number)


@pytest.mark.parametrize("rule", UNITS, ids=lambda rule: type(rule).__name__)
def test_within_a_unit_each_token_draws_what_replaces_it(rule, long_units):
    read, targets = prepared(long_units, masking_unit=rule)
    now = read.ids[targets.positions]
    fates = np.where(now == SPECIAL["mask"], 0, np.where(now == targets.labels, 2, 1))
    chance = 0.1 / PIECES  # a draw may give [MASK] or the token itself
    expected = np.array([0.8 + chance, 0.1 - 2 * chance, 0.1 + chance]) * len(fates)
    assert chisquare(np.bincount(fates, minlength=3), expected).pvalue > 0.001
    neighbours = np.flatnonzero(np.diff(targets.positions) == 1)
    table = np.zeros((3, 3))
    np.add.at(table, (fates[neighbours], fates[neighbours + 1]), 1)
    assert chi2_contingency(table).pvalue > 0.001


def test_every_maskable_place_is_chosen_equally_often():
    made = instances([list(range(5, 25))] * 3000)
    _, targets = prepared(made)
    counts = np.bincount(targets.positions % 22, minlength=22)
    assert counts[[0, 21]].tolist() == [0, 0]
    mean = counts[1:21].mean()
    assert np.abs(counts[1:21] - mean).max() < 5 * math.sqrt(mean)


def test_a_span_is_masked_drawn_or_kept_as_a_whole():
    made = many(200, 128)
    read, targets = prepared(made, masking_unit=Spans(), rates=Rates(share=0.3))
    masked = read.ids[targets.positions] == SPECIAL["mask"]
    touching = np.diff(targets.positions) == 1
    changes = (masked[1:] != masked[:-1])[touching].mean()
    assert changes < 0.15  # only where two spans touch; drawn apart it would be 0.32


def test_other_mixes_and_bounds():
    made = many(300, 128)
    read, targets = prepared(made, rates=Rates(share=0.4, mask=1, random=0, most=30))
    assert (read.ids[targets.positions] == SPECIAL["mask"]).all()
    assert len(targets) == 300 * 30
    for bad in ({"share": 0}, {"share": 1.2}, {"mask": 0.9, "random": 0.2}, {"random": -0.1}):
        with pytest.raises(BadInput):
            Rates(**bad)


def test_a_run_with_phrases_says_how_their_tokens_are_replaced():
    identities = [MaskedLanguageModel(vocabulary=VOCABULARY, masking_unit=rule).identity() for rule in UNITS]
    assert identities == [{}, {}, {"phrase_replacement": "by token"}]


def test_the_same_generator_gives_the_same_masks():
    made = many(50, 64)
    first, second = (prepared(made, 3, masking_unit=Spans()) for _ in range(2))
    assert np.array_equal(first[0].ids, second[0].ids)
    assert np.array_equal(first[1].positions, second[1].positions)


def a_model(**changes):
    config = BertConfig(vocab_size=PIECES, hidden_size=32, num_layers=2, num_heads=2, intermediate_size=64, **changes)
    model = bert(config).eval()
    objective = MaskedLanguageModel(vocabulary=VOCABULARY)
    head = objective.head(model)
    generator = torch.Generator().manual_seed(0)
    init_weights(model, 0.02, generator)
    init_weights(head, 0.02, generator)
    return model, objective, head


def as_batch(made):
    return Batch(*(torch.from_numpy(part) for part in (made.ids, made.segments, made.starts)))


def test_the_loss_is_the_cross_entropy_of_the_chosen_places_alone():
    model, objective, head = a_model()
    read, targets = objective.prepare(many(6, 40), np.random.default_rng(0))
    batch = as_batch(read)
    states = model(batch)
    found = objective.loss(head, ModelOutput(model, batch, states), targets)
    logits = head(states, word_table(model))
    labels = torch.full((len(batch.ids),), -100)
    labels[targets.positions] = torch.from_numpy(targets.labels)
    assert found.sum.item() == pytest.approx(functional.cross_entropy(logits, labels, reduction="sum").item(), rel=1e-5)
    assert found.count == len(targets)
    assert found.correct.item() == (logits.argmax(1) == labels).sum().item()


def test_a_fresh_model_is_as_wrong_as_one_that_knows_nothing():
    width, vocabulary = 64, 30_522
    config = BertConfig(vocab_size=vocabulary, hidden_size=width, num_layers=2, num_heads=2, intermediate_size=64)
    model = bert(config).eval()
    facts = type(VOCABULARY)(
        vocabulary,
        SPECIAL,
        VOCABULARY.word_starts.of_continuations(np.zeros(vocabulary, bool)),
        np.arange(vocabulary) < 5,
        "",
    )
    objective = MaskedLanguageModel(vocabulary=facts)
    head = objective.head(model)
    generator = torch.Generator().manual_seed(0)
    init_weights(model, 0.02, generator)
    init_weights(head, 0.02, generator)
    rng = np.random.default_rng(0)
    made = instances([rng.integers(5, vocabulary, 126).tolist() for _ in range(40)])
    read, targets = objective.prepare(made, rng)
    with torch.no_grad():
        found = objective.loss(head, ModelOutput(model, as_batch(read), model(as_batch(read))), targets)
    expected = math.log(vocabulary) + width * 0.0175925**2 / 2
    assert found.sum.item() / found.count == pytest.approx(expected, abs=0.03)


def test_no_place_to_ask_costs_nothing_and_is_no_nan():
    model, objective, head = a_model()
    read, targets = objective.prepare(instances([[], []]), np.random.default_rng(0))
    found = objective.loss(head, ModelOutput(model, as_batch(read), model(as_batch(read))), targets)
    found.sum.backward()
    assert (len(targets), found.count, found.sum.item(), found.correct.item()) == (0, 0, 0.0, 0)


def test_the_mean_is_over_the_places_asked_and_two_hundred_thousandths_from_the_papers():
    """The paper's code pads the places it asks for, weighs the padding 0, and divides by the weights' sum + 1e-5.

    Two places that cost 2 and 4, beside padding that costs 100, give 2.999985 there. Here padding is never asked and
    nothing is ever divided by 0, so that nothing is added: the mean is 3.
    """
    costs = torch.tensor([2.0, 4.0, 100.0])
    logits = torch.stack([torch.zeros(3), costs.double().expm1().log().float()], dim=1)
    found = cross_entropy(logits, torch.tensor([0, 0]))
    mean = float(found.sum) / found.count
    assert found.count == 2
    assert mean == pytest.approx(3.0, abs=1e-6)
    assert mean == pytest.approx(2.999985, abs=2e-5)


def test_gradients_reach_the_tied_word_table():
    model, objective, head = a_model()
    read, targets = objective.prepare(many(2, 20), np.random.default_rng(0))
    objective.loss(head, ModelOutput(model, as_batch(read), model(as_batch(read))), targets).sum.backward()
    assert model.embedding.word.weight.grad[150].abs().sum() > 0


def test_a_factorised_embedding_has_a_head_of_the_tables_width():
    model, objective, head = a_model(embedding_size=8)
    read, targets = objective.prepare(many(2, 20), np.random.default_rng(0))
    assert objective.loss(head, ModelOutput(model, as_batch(read), model(as_batch(read))), targets).count == len(
        targets
    )
    assert head.dense.weight.shape == (8, 32)
