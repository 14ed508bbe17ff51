"""A folder that is renamed draws what it drew before; names of the catalogue stay as they are."""

import shutil

import numpy as np
import pytest
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.representations.distilled_vectors import DistilledRung
from wordworth.representations.feature_rung import RepresentationRung
from wordworth.representations.finetuned_encoder import FineTuned
from wordworth.representations.finetuning_settings import FineTuning
from wordworth.representations.frozen_encoder import Frozen
from wordworth.representations.heads.linear_head import LinearHead
from wordworth.representations.ladder import default_ladder
from wordworth.representations.precomputed_vectors import VectorFileRung
from wordworth.representations.random_seed_names import seed_names
from wordworth.representations.rung import RunContext
from wordworth.representations.static_vectors import StaticRung
from wordworth.representations.tfidf import Tfidf
from wordworth.representations.tfidf_with_encoder import Hybrid
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture
def encoders(tmp_path):
    """A folder, a copy of it under another name, and one with other weights."""
    first = write_tiny_encoder(tmp_path / "first")
    shutil.copytree(first, tmp_path / "copy")
    write_tiny_encoder(tmp_path / "other", layers=1)
    return [str(tmp_path / name) for name in ("first", "copy", "other")]


def rungs_of(model):
    return [Frozen(model), Hybrid(model), FineTuned(model, FineTuning()), DistilledRung(model, LinearHead())]


def test_every_rung_of_a_copy_has_the_same_seed_name_and_other_weights_have_another(encoders):
    first, copy, other = (list(seed_names(rungs_of(model)).values()) for model in encoders)
    assert first == copy
    assert len({*first, *other}) == 8
    assert set(seed_names(rungs_of(encoders[0]))) == {rung.name for rung in rungs_of(encoders[0])}


def test_every_rung_chooses_its_settings_on_the_same_inner_folds_whatever_its_name(encoders, monkeypatch):
    drawn, choose = [], LinearHead.choose

    def heard(self, features, target, rng):
        drawn.append(rng.bit_generator.state["state"])
        return choose(self, features, target, rng)

    monkeypatch.setattr(LinearHead, "choose", heard)
    task = sample_task("classification")
    chosen = [
        rung.prepare(task, RunContext()).fit(task.train, np.random.default_rng(0)).chosen
        for rung in (Frozen(encoders[0]), Frozen(encoders[1]), RepresentationRung(Tfidf()))
    ]
    assert len(drawn) == 3
    assert drawn[0] == drawn[1] == drawn[2]
    assert chosen[0] == chosen[1]


def test_tables_and_files_of_vectors_are_known_by_their_content(tmp_path):
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("word 1 2\n")
    np.save(tmp_path / "a.npy", np.ones((2, 2), np.float32))
    shutil.copy(tmp_path / "a.npy", tmp_path / "b.npy")
    for rungs in (
        [StaticRung(str(tmp_path / f"{name}.txt"), name, name) for name in "ab"],
        [VectorFileRung(tmp_path / f"{name}.npy", name, name) for name in "ab"],
    ):
        names = seed_names(rungs)
        assert set(names) == {"a", "b"}
        assert len(set(names.values())) == 1


def test_rungs_of_the_catalogue_and_models_that_are_not_here_keep_their_names(tmp_path, monkeypatch):
    (tmp_path / "minilm").mkdir()
    monkeypatch.chdir(tmp_path)  # the catalogue's name is meant, though a folder is called so
    assert seed_names(default_ladder("classification", models=("minilm",), distil=True)) == {}
    assert seed_names([Frozen("./nowhere"), Frozen("owner/model"), RepresentationRung(Tfidf())]) == {}
