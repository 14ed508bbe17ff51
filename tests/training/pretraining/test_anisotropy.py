"""A run with the anisotropy penalty, and one without, which is what it was before there was any."""

import pytest

from wordworth.errors import BadInput
from wordworth.training.pretraining.build_components import build_objectives, open_stores
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.metrics_log import read
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain
from wordworth.training.pretraining.run_identity import claim, identity

CHANGES = ("batch_size=16", "lengths=16,16", "first_phase_fraction=1", "learning_rate=0.01")


def a_run(corpus, out, *changes, **more):
    made = recipe("modern", (*CHANGES, *changes))
    given = {"model_size": "2x32", "steps": 40, "evals": 2, "dtype": "float32", **more}
    return PretrainingConfig(stores=(corpus,), out=out, recipe=made, **given)


def test_a_run_with_the_penalty_ends_less_anisotropic_and_leaves_the_same_kind_of_model(corpus, other, tmp_path):
    ended = {}
    for weight in (0.001, 5):
        given = a_run(corpus, tmp_path / str(weight), f"anisotropy={weight}", held_out=other)
        pretrain(given)
        look = [row for row in read(given.out / "training") if row["kind"] == "evaluation"][-1]
        ended[weight] = look["anisotropy"] / weight
        assert (given.out / "config.json").exists()
        assert "mlm_right" in look
        assert not any("anisotropy_right" in row for row in read(given.out / "training"))
        assert "anisotropy_unigram" not in read(given.out / "training")[0]
    assert ended[5] < ended[0.001] - 0.05


def test_a_run_without_it_is_the_run_that_it_was_before_there_was_any(corpus, tmp_path):
    given = a_run(corpus, tmp_path / "run")
    stores = open_stores(given.stores)
    assert [each.name for each in build_objectives(given, stores[0])] == ["mlm"]
    own = identity(given, stores, None)
    assert given.recipe.anisotropy == 0
    assert "anisotropy" not in own["recipe"]
    claim(tmp_path / "run" / "training", own)
    claim(tmp_path / "run" / "training", own)
    other = identity(a_run(corpus, tmp_path / "run", "anisotropy=0.5"), stores, None)
    with pytest.raises(BadInput, match=r"'anisotropy': None.* not .*'anisotropy': 0.5"):
        claim(tmp_path / "run" / "training", other)
