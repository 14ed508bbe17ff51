"""The act of pruning: which heads go, and what is left of the model."""

import numpy as np
import pytest
from tests.inference.tuned_model import write_tuned

from wordworth.errors import BadInput
from wordworth.inference.finetuned_run import read_run
from wordworth.inference.labelled_inputs import labelled_inputs
from wordworth.inference.prune import GOOD_FOR, with_first_layers, without_least_important, write_run
from wordworth.progress import SILENT
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="module")
def tuned(tmp_path_factory):
    return read_run(write_tuned(tmp_path_factory.mktemp("run"), steps=10))


@pytest.fixture(scope="module")
def ranking(tuned):
    task = sample_task("single")
    return labelled_inputs(tuned.network, task, task.train[:20])


def test_the_heads_that_go_are_the_least_important_within_their_layer(tuned, ranking):
    smaller = without_least_important(tuned, tuned.encoder.model, ranking, SILENT, share=0.5, as_zeros=False)
    assert smaller.form in GOOD_FOR
    assert smaller.importance.shape == (2, 4)
    assert len(smaller.heads) == 4
    share = smaller.importance / np.linalg.norm(smaller.importance, axis=1, keepdims=True)
    left = [
        share[head] for head in np.ndindex(2, 4) if head not in smaller.heads and share[head] < share[head[0]].max()
    ]
    assert max(share[head] for head in smaller.heads) <= min(left, default=np.inf)


def test_zeros_keep_the_shapes_and_a_folder_says_how_many_there_are(tuned, ranking, tmp_path):
    zeros = without_least_important(tuned, tuned.encoder.model, ranking, SILENT, share=0.5, as_zeros=True)
    assert zeros.model.config == tuned.encoder.model.config
    write_run(tuned, zeros, tmp_path / "zeros", onnx=False)
    assert "The weights of 4 attention heads are 0" in (tmp_path / "zeros" / "README.md").read_text()


def test_fewer_layers_than_there_are(tuned):
    assert with_first_layers(tuned.encoder.model, 1).model.config.num_layers == 1
    with pytest.raises(BadInput, match="none would be dropped"):
        with_first_layers(tuned.encoder.model, 2)
