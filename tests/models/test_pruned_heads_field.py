"""The field of config.json that says which heads were removed: read as it is written, refused where it cannot be."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.models.tiny import write_tiny

from wordworth.errors import BadInput
from wordworth.models.families.bert import BertConfig
from wordworth.models.pruned_heads_field import pruned_fields, with_pruned_heads
from wordworth.models.read_encoder import read_encoder

CONFIG = BertConfig(hidden_size=32, num_layers=2, num_heads=4)


@given(st.lists(st.sets(st.integers(0, 3), max_size=3), min_size=2, max_size=2))
def test_heads_are_read_as_they_were_written(heads):
    pruned = tuple(tuple(sorted(layer)) for layer in heads)
    fields = json.loads(json.dumps(pruned_fields(BertConfig(num_layers=2, num_heads=4, pruned_heads=pruned))))
    read = with_pruned_heads(CONFIG, fields, "config.json")
    assert [read.kept_heads(layer) for layer in (0, 1)] == [
        [head for head in range(4) if head not in layer] for layer in pruned
    ]
    assert bool(fields) == any(pruned)


@pytest.mark.parametrize(
    "pruned",
    [[1], "0", {"2": [0]}, {"a": [0]}, {"0": 3}, {"0": [4]}, {"0": [0, 1, 2, 3]}, {"0": ["x"]}, {"0": [float("inf")]}],
)
def test_other_values_are_refused(pruned):
    with pytest.raises(BadInput, match="pruned_heads"):
        with_pruned_heads(CONFIG, {"pruned_heads": pruned}, "config.json")


@pytest.mark.parametrize("nothing", [None, {}, []])
def test_a_config_without_pruned_heads_is_that_of_a_whole_model(nothing):
    assert with_pruned_heads(CONFIG, {"pruned_heads": nothing}, "config.json") == CONFIG


def test_a_config_that_does_not_fit_the_weights_is_refused(tmp_path):
    folder = write_tiny(tmp_path / "tiny", pruned_heads={"0": [1]})
    config = json.loads((folder / "config.json").read_text())
    assert config["pruned_heads"] == {"0": [1]}
    with pytest.raises(BadInput, match=re.escape("body.layers.0.attention.qkv.weight is (96, 32) in the weights")):
        read_encoder(folder)
