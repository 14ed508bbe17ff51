"""A saved probe scores as the trained one."""

import pytest
import torch

from wordworth.errors import BadInput
from wordworth.training.finetuning.checkpoint_metadata import read_metadata
from wordworth.training.probes.saved_probe import PROBE, SavedProbe
from wordworth.training.probes.span_probes import LinearProbe, SpanBatch

FACTS = {
    "kind": "classification",
    "classes": ["a", "b"],
    "tokens": 128,
    "cut": "end",
    "second": False,
    PROBE: {"model": "m", "fingerprint": "f"},
}


@pytest.fixture
def probe():
    made = LinearProbe(3, 5, 1, 2, exclusive=True)
    for number, parameter in enumerate(made.parameters()):
        parameter.data = torch.randn(parameter.shape, generator=torch.Generator().manual_seed(number))
    made.mix.scale.copy_(torch.tensor([1.0, 2.0, 0.5]))
    return made


def test_it_scores_as_before_after_writing_and_reading(probe, tmp_path):
    states, words = torch.randn(4, 3, 5), torch.arange(4)
    SavedProbe.of(probe, range(1, 4)).write(tmp_path / "p", FACTS)
    read = SavedProbe.read(tmp_path / "p", read_metadata(tmp_path / "p"))
    assert read.layers == (1, 2, 3)
    with torch.inference_mode():
        assert torch.allclose(
            read.scores(states), probe(SpanBatch(states, ((words, words),), torch.zeros(4, 2))), atol=1e-5
        )


def test_what_does_not_fit_is_said(probe, tmp_path):
    SavedProbe.of(probe, range(3)).write(tmp_path / "p", FACTS)
    facts = read_metadata(tmp_path / "p")
    with pytest.raises(BadInput, match="do not fit"):
        SavedProbe.read(tmp_path / "p", {**facts, "classes": ["a", "b", "c"]})
    with pytest.raises(BadInput, match="which layers"):
        SavedProbe.read(tmp_path / "p", {**facts, PROBE: {"layers": [-1]}})
