"""The card says where little was learned."""

import pytest
from tests.training.pretraining.small_run import Killing, settings

from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.evaluation import HeldOut
from wordworth.training.pretraining.initial_model import VocabularyChange
from wordworth.training.pretraining.pretrain_and_adapt import adapt
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain


@pytest.mark.parametrize(("look", "said"), [
    (
        {"mlm": 2.0, "mlm_shuffled": 2.02},
        ["nothing of word order yet: with the visible words shuffled it loses 0.02 nats"],
    ),
    (
        {"mlm": 2.0, "mlm_shuffled": 1.999},
        ["nothing of word order yet: with the visible words shuffled it loses 0.00 nats"],
    ),
    ({"mlm": 2.0, "mlm_shuffled": 2.5}, []),
    ({"mlm": 9.0, "mlm_shuffled": 9.5}, ["no better yet on held-out text than subword frequencies alone"]),
])  # fmt: skip
def test_a_run_and_its_card_say_where_little_was_learned(corpus, other, tmp_path, monkeypatch, look, said):
    monkeypatch.setattr(HeldOut, "evaluate", lambda *_: look)
    given, heard = settings(corpus, tmp_path / "out", held_out=other, steps=2), Killing()
    pretrain(given, heard)
    for told in ((given.out / "README.md").read_text(), "\n".join(heard.notes)):
        for sentence in ("nothing of word order yet", "no better yet on held-out text"):
            assert (sentence in told) == any(sentence in one for one in said)
        assert all(one in told for one in said)


RECIPE = ("adapt", ["batch_size=8", "lengths=16,16"])


def extend(more):
    return VocabularyChange(vocabulary="extend", new_subwords=more)


def finished(corpus, out, **changes):
    usual = {"model_size": "1x32", "steps": 2, "recipe": recipe("modern", RECIPE[1]), "evals": 1}
    pretrain(PretrainingConfig(stores=(corpus,), out=out, **{**usual, **changes}))
    return out


def test_the_card_names_the_model_and_tells_of_the_recipe_what_was_applied(model, notes, tmp_path):
    adapt(str(model), [notes], out=tmp_path / "new", vocabulary=extend(30), recipe=RECIPE, steps=1)
    card = (tmp_path / "new" / "README.md").read_text()
    assert "# given, a BERT, continued on other text" in card
    assert "dropout 0.1" in card
    assert "nothing else" not in card
    assert "the card of the model that it started from says what that was trained" in card
    assert "It was trained on the text above and nothing else." in (model / "README.md").read_text()
    assert not any(f" {name} " in card for name in ("norm", "init_std", "init_neighbour_heads", "pair_objective"))


def test_the_card_of_a_model_without_masks_tells_nothing_of_masks(corpus, tmp_path):
    card = (finished(corpus, tmp_path / "given", architecture="gpt") / "README.md").read_text()
    assert "activation gelu_erf" in card
    assert "library_name: transformers\n" in card
    assert not any(
        f" {name} " in card
        for name in ("mlm_probability", "masking_unit", "init_neighbour_heads", "norm", "pair_objective")
    )
