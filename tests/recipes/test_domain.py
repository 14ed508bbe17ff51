"""The domain study: what is learned and what is held out, bits per character, and how an answer comes about."""

import math

import numpy as np
import pytest
import torch
from tests.training.objectives.test_mlm import as_batch
from tests.training.pretraining.conftest import documents

from parts.domain_answer import BITS, CONTROL, DOMAIN, F1, PLAIN, answer, answer_rows, gain_rows, verdict
from parts.domain_stores import StoreSizes, divide
from parts.held_out_bits import Answers, ask, bits_per_character
from parts.scored import DRAWS, Scored
from wordworth import seeds
from wordworth.models.language_model import language_model
from wordworth.text.corpus.instances import InstanceStream
from wordworth.text.corpus.overlap import EvaluationTexts
from wordworth.text.corpus.samplers.packed import PackedTexts
from wordworth.text.corpus.token_store import TokenStore
from wordworth.training.objectives.mlm import MaskedLanguageModel, Rates
from wordworth.training.objectives.objective import ModelOutput
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.run import pretrain

TEXTS = [f"text number {number} says {' '.join(str(number * place) for place in range(20))}" for number in range(300)]
NONE = EvaluationTexts.of([])


def test_a_tenth_of_the_documents_is_held_out_in_any_order():
    found = divide(TEXTS, NONE, 10**9)
    assert 15 <= len(found.held_out) <= 45
    assert sorted(found.learned + found.held_out) == sorted(TEXTS)
    assert divide(TEXTS[::-1], NONE, 10**9) == found


def test_what_is_learned_is_cut_at_so_many_characters_and_the_rest_stays():
    whole, cut = divide(TEXTS, NONE, 10**9), divide(TEXTS, NONE, 3000)
    assert cut.held_out == whole.held_out
    assert cut.learned == whole.learned[: len(cut.learned)]
    assert 3000 <= sum(map(len, cut.learned)) < 3000 + max(map(len, TEXTS))


def test_a_document_with_thirteen_words_of_a_test_in_a_row_is_in_neither_part():
    words = ["one", "two", *(f"w{number}" for number in range(11))]
    test = EvaluationTexts.of(["before " + " ".join(words) + " after"])
    near, same = " ".join(words[:-1]) + " fourteen", "Well: One, two " + " ".join(words[2:]) + "!"
    found = divide([near, same], test, 10**9)
    assert (found.learned + found.held_out, found.shared) == ([near], 1)


def test_nothing_is_learned_of_general_text():
    assert divide(TEXTS, NONE, 10**9, all_held_out=True).learned == []


def test_bits_per_character_are_the_mean_loss_in_bits_times_pieces_per_character():
    told = StoreSizes(documents=3, characters=400, tokens=100, shared=0)
    one = Answers(np.array([8.0, 0.0, 4.0]) * math.log(2), np.array([2.0, 0.0, 1.0]))
    found = bits_per_character([one, one], told, "any")
    assert found.point == pytest.approx([1.0, 1.0])  # 4 bits a piece, 4 characters a piece
    assert found.interval.low == pytest.approx(1.0)
    assert found.draws.shape == (2, DRAWS)


@pytest.fixture(scope="module")
def model(corpus, tmp_path_factory):
    out = tmp_path_factory.mktemp("model")
    pretrain(PretrainingConfig(stores=(corpus,), out=out, model_size="2x32", steps=2, device="cpu"))
    return out


def test_documents_together_cost_what_the_held_out_loss_of_the_same_questions_is(model, corpus, tmp_path):
    ask(model, corpus, tmp_path / "answers.npz", "cpu", 40)
    found, text, asked = Answers.read(tmp_path / "answers.npz"), TokenStore.open(corpus), language_model(model)
    objective = MaskedLanguageModel(vocabulary=text.vocabulary, rates=Rates(share=0.15, mask=1.0, random=0.0))
    read = InstanceStream(PackedTexts(store=text, length=128), batch_size=40).batch(0)
    instances, targets = objective.prepare(read, seeds.child(0, "masks"))
    batch = as_batch(instances)
    with torch.no_grad():
        usual = objective.loss(asked.head, ModelOutput(asked.encoder, batch, asked.encoder(batch)), targets)
    assert len(found.nats) == text.counts["documents"] == len(set(documents(0, 60)))
    assert found.pieces.sum() == usual.count
    assert found.nats.sum() / found.pieces.sum() == pytest.approx(usual.sum.item() / usual.count, rel=1e-5)


def scored(mean, spread=0.0):
    return Scored(mean + spread * np.array([-1.0, 0.0, 1.0]), np.full((3, DRAWS), mean))


def gains_of(measure, on, part, plain, domain, control):
    return gain_rows({(measure, on, part): {PLAIN: plain, DOMAIN: domain, CONTROL: control}})


def test_fewer_bits_are_a_gain_and_more_f1_is_one():
    bits = gains_of(BITS, DOMAIN, "held-out", scored(1.2), scored(1.0), scored(1.3))
    f1 = gains_of(F1, "bc5cdr", "test", scored(0.6), scored(0.7), scored(0.5))
    for rows in (bits, f1):
        by = {(row["model"], row["over"]): row["gain"] for row in rows}
        assert by[DOMAIN, PLAIN] > 0
        assert by[DOMAIN, CONTROL] > by[DOMAIN, PLAIN]
        assert by[CONTROL, PLAIN] < 0


def test_the_domain_helps_only_where_it_beats_the_control_too():
    assert answer(F1, [(0.01, 0.03), (0.02, 0.04)]) == "yes"
    assert answer(F1, [(0.01, 0.03), (-0.02, 0.004)]) == "no"
    assert answer(F1, [(0.01, 0.03), (-0.02, 0.04)]) == "cannot tell"
    assert answer(BITS, [(-0.5, -0.2), (0.1, 0.2)]) == "no"


def test_a_sure_gain_that_is_next_to_nothing_does_not_help():
    assert answer(F1, [(0.001, 0.002), (0.01, 0.03)]) == "no"


def test_a_spread_over_seeds_that_hides_the_gain_cannot_tell():
    sure = gains_of(F1, "bc5cdr", "test", scored(0.6), scored(0.7), scored(0.6))
    wide = gains_of(F1, "bc5cdr", "test", scored(0.6), scored(0.7, spread=0.3), scored(0.6))
    assert [row["answer"] for row in answer_rows(sure)] == ["yes"]
    assert [row["answer"] for row in answer_rows(wide)] == ["cannot tell"]


def test_answers_are_given_for_the_domains_text_and_the_test_parts_alone():
    three = (scored(0.6), scored(0.7), scored(0.6))
    gains = [
        *gains_of(BITS, DOMAIN, "held-out", *three),
        *gains_of(BITS, "general", "held-out", *three),
        *gains_of(F1, "bc5cdr", "dev", *three),
        *gains_of(F1, "bc5cdr", "test", *three),
    ]
    answers = answer_rows(gains)
    assert {(row["measure"], row["on"]) for row in answers} == {(BITS, DOMAIN), (F1, "bc5cdr")}
    text = verdict(answers, gains).text
    assert "Yes: entity F1 on bc5cdr; no: bits per character on biomedical" in text
    assert "biomedical text costs +0.100 bits a character on general text" in text


def test_nothing_is_said_before_a_seed_is_whole():
    assert "yet" in verdict([], []).text
