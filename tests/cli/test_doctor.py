"""`wordworth doctor`: exit code 0 for a sound checkpoint, 1 with the reason for one that is not."""

import json

import pytest
from tests.cli.terminal import wordworth
from tests.models.tiny import write_tiny

from wordworth.errors import BadInput
from wordworth.sources import resolve


def test_minilm_is_what_it_claims_to_be():
    try:
        resolve("minilm")
    except BadInput as error:
        pytest.skip(str(error))
    outcome = wordworth("doctor", "minilm")
    assert "FAIL" not in outcome.out
    assert outcome.code == 0
    assert any(line.startswith("ok") and "reference vectors" in line for line in outcome.out.splitlines())


def test_truncated_weights_fail_with_the_reason(tmp_path):
    folder = write_tiny(tmp_path / "tiny")
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-100])
    outcome = wordworth("doctor", folder)
    assert outcome.code == 1
    assert "FAIL  loads" in outcome.out
    assert "truncated" in outcome.out


def test_a_tokenizer_that_keeps_capitals_over_a_lower_cased_vocabulary_fails(tmp_path):
    folder = write_tiny(tmp_path / "tiny")
    (folder / "tokenizer_config.json").write_text(json.dumps({"do_lower_case": False}))
    outcome = wordworth("doctor", folder)
    assert outcome.code == 1
    assert "FAIL  casing" in outcome.out
