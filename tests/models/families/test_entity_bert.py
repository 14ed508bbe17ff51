"""A model with entities is written and read as what it is, with its identifiers."""

import json
import shutil

import pytest
import torch
from tests.models.entity_fusion.conftest import fused_folder  # noqa: F401 - a fixture

from wordworth.errors import BadInput
from wordworth.models.checkpoint import read_checkpoint
from wordworth.models.families import family_of
from wordworth.models.load import load
from wordworth.testing.encoders import encoder_checks

LINKED = ["a [[Q1|cab]] was", "a [[Q2|cab]] was", "a cab was"]


def test_it_is_saved_and_loaded_with_the_same_vectors(fused_folder, tmp_path):  # noqa: F811
    encoder = load(str(fused_folder))
    encoder.save(tmp_path / "saved")
    again = load(str(tmp_path / "saved"))
    assert again.model.config == encoder.model.config
    assert (again.encode(LINKED) == encoder.encode(LINKED)).all()


@pytest.mark.filterwarnings("ignore::wordworth.errors.LongTextWarning")
@pytest.mark.parametrize("check", encoder_checks(), ids=lambda check: check.__name__)
def test_it_conforms(fused_folder, check):  # noqa: F811
    check(load(str(fused_folder)))


def test_the_names_of_a_bert_stay_and_only_those_of_entities_are_new(fused_folder):  # noqa: F811
    names = {name.removeprefix("bert.") for name in read_checkpoint(fused_folder).names.loaded}
    plain = set(read_checkpoint(fused_folder.parent / "encoder").names.loaded)
    assert plain <= names
    assert all("ent" in name for name in names - plain)


def test_writing_undoes_reading(fused_folder):  # noqa: F811
    family, config = family_of("wordworth-entity-bert"), read_checkpoint(fused_folder).model.config
    assert family.write(config)["entities"] == list(config.entities)
    assert torch.equal(family.build(config).body.entities, torch.zeros(5, 8))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"entities": "Q1"}, "no list of identifiers"),
        ({"entities": ["Q1"] * 5}, "an identifier twice"),
        ({"fused_layers": 7}, "fused_layers is 7"),
        ({"entity_heads": 3}, "not a multiple of entity_heads"),
        ({"entities": ["Q1", "Q2"]}, r"\(5, 8\) in the weights, \(2, 8\) by the config"),
        ({"entity_size": 4}, "in the weights"),
    ],
)
def test_a_damaged_config_is_one_clear_error(fused_folder, tmp_path, changes, message):  # noqa: F811
    folder = tmp_path / "model"
    shutil.copytree(fused_folder, folder)
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    with pytest.raises(BadInput, match=message):
        read_checkpoint(folder)
