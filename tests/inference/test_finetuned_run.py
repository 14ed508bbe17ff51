"""Which folders hold a fine-tuned model to look inside."""

import json

import pytest
from tests.inference.tuned_model import write_tuned

from wordworth.errors import BadInput
from wordworth.inference.finetuned_run import read_run


def test_a_run_is_its_network_and_the_encoder_with_the_weights_that_were_learned(tmp_path):
    run = read_run(write_tuned(tmp_path))
    body = run.network.tuned.network.body.state_dict()
    assert all((value == run.encoder.model.body.state_dict()[name]).all() for name, value in body.items())


def test_questions_and_other_folders_are_refused(tmp_path):
    with pytest.raises(BadInput, match="not supported here"):
        read_run(write_tuned(tmp_path / "span", kind="span"))
    with pytest.raises(BadInput, match="no such folder"):
        read_run(tmp_path / "missing")


@pytest.mark.parametrize(
    ("facts", "what"),
    [
        ({"rung": {"title": "TF-IDF", "contextual": False}}, "the rung 'TF-IDF' of worth, not a fine-tuned encoder"),
        ({"cascade": {"threshold": 0.5}}, "a cascade of two models, not a fine-tuned encoder"),
        ({"tokens": 9, "cut": "end", "features": "last"}, "reads an encoder's frozen states"),
    ],
)
def test_a_model_without_a_fine_tuned_encoder_is_called_what_it_is(tmp_path, facts, what):
    metadata = {"version": 1, "kind": "classification", "classes": ["a", "b"], "second": False, **facts}
    (tmp_path / "wordworth.json").write_text(json.dumps(metadata))
    with pytest.raises(BadInput, match=what) as error:
        read_run(tmp_path)
    assert error.value.where == str(tmp_path)
