"""The model that is asked: with a head and attention, with one of both, or with neither."""

import pytest
from safetensors.torch import load_file, save_file
from tests.models.language_models import write_language_model
from tests.models.tiny import write_tiny

from wordworth.errors import BadInput
from wordworth.progress import SILENT
from wordworth.studies.commonsense.attention_scores import FROM, TO
from wordworth.studies.commonsense.candidate_mentions import FIRST, NEAREST
from wordworth.studies.commonsense.items import Choice, ChoiceSet
from wordworth.studies.commonsense.likelihood_scores import PARTIAL, WHOLE, WITHIN_WORDS
from wordworth.studies.commonsense.tested_model import Subject

ITEM = Choice("the ab saw c, so ", ("the ab", "c"), " s.", 0, "i")
BLANK = Choice("the ab saw c, so ", ("the ab", "c"), " s.", 0, "[MASK]")
LONG = Choice("a " * 30, ("a", "b"), "", 0, "i")
RULES = {NEAREST, FIRST}


def pronouns(*items):
    return ChoiceSet("s", "pronouns", items, "", "", len(items))


@pytest.mark.parametrize(
    ("kind", "methods"),
    [
        ("bert", {FROM, TO, WHOLE, WITHIN_WORDS, PARTIAL} | RULES),
        ("gpt2", {FROM, WHOLE, PARTIAL} | RULES),
        ("bilm", {WHOLE, PARTIAL} | RULES),
    ],
)
def test_a_model_answers_by_what_it_has(kind, methods, tmp_path):
    subject = Subject.of(str(write_language_model(tmp_path / kind, kind)), 0)
    answers = subject.answers(pronouns(ITEM), subject.finished_parts(SILENT, 0))
    assert set(answers.own) == methods
    assert answers.without_model == RULES
    assert set(answers.random) == methods - RULES - {WITHIN_WORDS}
    assert all((answers.own[name][0] != answers.random[name][0]).any() for name in answers.random)


def test_without_a_head_attention_answers_pronouns_alone(tmp_path):
    subject = Subject.of(str(write_tiny(tmp_path / "m", "distilbert")), 0)
    assert "no language model head" in subject.no_head
    assert set(subject.answers(pronouns(ITEM), subject.finished_parts(SILENT, 0)).own) == {FROM, TO} | RULES
    pairs = ChoiceSet("s", "pairs", [Choice("", ("a", "b"), "", 0)], "", "", 1)
    assert not subject.answers(pairs, subject.finished_parts(SILENT, 0)).own


def test_a_blank_is_the_models_own_mask(tmp_path):
    masked = Subject.of(str(write_language_model(tmp_path / "bert", "bert")), 0)
    mentions = masked._mentions(BLANK)
    assert "[MASK]" in mentions.text
    assert masked.answers(pronouns(BLANK), masked.finished_parts(SILENT, 0)).own[FROM][0] is not None


def test_items_that_do_not_fit_are_left_out(tmp_path):
    subject = Subject.of(str(write_language_model(tmp_path / "bert", "bert")), 0)
    assert list(subject.fitting(pronouns(ITEM, LONG)).items) == [ITEM]


def test_a_table_and_a_model_with_nothing_to_ask_are_refused(tmp_path):
    with pytest.raises(BadInput, match="reads no context"):
        Subject.of("glove", 0)
    folder = write_language_model(tmp_path / "bilm", "bilm")
    weights = load_file(folder / "model.safetensors")
    weights.pop("softmax.bias")
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(BadInput, match="no attention, and this model has no language model head"):
        Subject.of(str(folder), 0)
