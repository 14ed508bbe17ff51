"""Models, tokenizers and tables in the folders of an earlier version say what they said."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.compat import commands, outputs

MODELS = [f"models/{name}" for name in commands.MODELS]
TABLES = ["tables/static", "tables/static.txt"]


@pytest.mark.parametrize("name", [*MODELS, *TABLES])
def test_a_model_made_by_an_earlier_version_gives_the_same_vectors(opened, expected, name):
    opened("models" if name in MODELS else "tables")
    np.testing.assert_allclose(outputs.vectors(name), expected["vectors"][name], atol=1e-4)


def test_a_model_pretrained_by_an_earlier_version_fills_the_same_gaps(opened, expected):
    opened()
    assert outputs.command(commands.FILL, "the film was [MASK] and good") == expected["filled"]


@pytest.mark.parametrize("name", ["base", *MODELS])
def test_a_model_made_by_an_earlier_version_is_found_sound(opened, name):
    opened("models")
    assert "FAIL" not in outputs.command("doctor", name)


@pytest.mark.parametrize("name", commands.TUNED)
def test_a_model_tuned_by_an_earlier_version_gives_the_same_answers(opened, expected, name):
    opened("tuned")
    source, _ = commands.TUNED[name]
    found = outputs.answers(f"tuned/{name}", source)
    assert len(found) == len(expected["answers"][name])
    for one, other in zip(found, expected["answers"][name], strict=True):
        assert same(one, other)


def same(one, other) -> bool:
    """Whether two answers are the same but for the last digits of their numbers."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    return one == pytest.approx(other, abs=2e-4) if isinstance(one, float) else one == other


def test_a_tokenizer_trained_by_an_earlier_version_is_trained_again_to_the_same_vocabulary(opened):
    opened()
    outputs.command(commands.TOKENIZER, "again")
    one, other = (json.loads(Path(name, "tokenizer.json").read_text()) for name in ("tokenizer", "again"))
    assert one["model"]["vocab"] == other["model"]["vocab"]
