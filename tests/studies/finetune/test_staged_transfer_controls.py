"""The ways to a target task: staged transfer and its controls."""

import numpy as np
import pytest
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.models.encoder_fingerprint import fingerprint
from wordworth.studies.finetune.staged_transfer_controls import chains
from wordworth.testing.sample_tasks import sample_task
from wordworth.training.finetuning.run_inputs import load_encoder
from wordworth.training.finetuning.settings import FinetuneSettings


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> str:
    return str(write_tiny_encoder(tmp_path_factory.mktemp("arms") / "tiny", layers=1))


def test_each_way_has_runs_of_its_own_and_the_target_s_rows_are_the_same(encoder, tmp_path):
    first, target = sample_task("pair_classification", 60), sample_task("multiple_choice", 60, seed=1)
    loaded = load_encoder(encoder)
    settings = FinetuneSettings(model=encoder, epochs=1, dev=0.2, controls=True)
    made = chains([first, target], settings, loaded, tmp_path)
    keys = [chain.target.key for chain in made]
    assert len({*keys}) == 4  # more updates are runs of the target alone with other epochs
    assert {tuple(chain.target.spec.split.test.tolist()) for chain in made} == {tuple(np.sort(target.test).tolist())}
    assert [chain.name for chain in chains([target, first], settings, loaded, tmp_path)][-1] == "more updates"
    assert fingerprint(loaded) == fingerprint(load_encoder(encoder))


def test_the_output_layer_goes_on_between_choices_and_settings_of_choices_are_theirs_alone(encoder, tmp_path):
    pairs, choices = sample_task("pair_classification", 60), sample_task("multiple_choice", 60)
    other, settings = sample_task("multiple_choice", 60, seed=1), FinetuneSettings(model=encoder, epochs=1, margin=0.2)
    (chain,) = chains([pairs, choices, other], settings, load_encoder(encoder), tmp_path)
    assert [stage.output for stage in chain.stages] == ["new", "new", "kept"]
    assert [stage.spec.settings.margin for stage in chain.stages] == [None, 0.2, 0.2]
