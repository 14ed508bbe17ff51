"""A fine-tuned model is exported with its head, any other as an encoder; a table is refused."""

import pytest
from tests.inference.tuned_model import write_tuned

from wordworth.errors import BadInput
from wordworth.inference.export.read_model import read_source


def test_a_run_and_an_encoder_are_told_apart(tmp_path):
    run = write_tuned(tmp_path, steps=2)
    assert read_source(run).run is not None
    assert read_source("mini").run is None
    assert read_source(run).name == str(run)


@pytest.mark.parametrize(("model", "what"), [("nowhere", "nowhere"), ("glove", "static table")])
def test_what_is_neither_is_refused(model, what):
    with pytest.raises(BadInput, match=what):
        read_source(model)
