"""`embed` goes on from the parts that an earlier version kept."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.compat import commands, outputs
from tests.compat.outputs import Listener, heard

from wordworth.models.cpu_inference.detect_kernels import kernel_for

PART = 512


@pytest.mark.parametrize("name", commands.EMBED)
def test_vectors_that_an_earlier_version_had_made_are_not_made_again(opened, name):
    opened(f"stopped-embed-{name}")
    out = Path(f"stopped-embed-{name}/vectors.npy")
    made_of = json.loads((out.with_name("vectors.npy.parts") / "made-of.json").read_text(encoding="utf-8"))
    if made_of["kernel"] not in {"none", kernel_for("float32")}:
        pytest.skip(f"this processor has no kernel {made_of['kernel']}: parts of another one are refused")
    listener = Listener("embedding")
    heard(commands.EMBED[name], out, listener)
    assert (listener.skipped, listener.done) == (PART, 1200 - PART)
    outputs.command(commands.EMBED[name], "whole.npy")
    np.testing.assert_allclose(np.load(out), np.load("whole.npy"), atol=1e-5)
    assert not out.with_name("vectors.npy.parts").exists()
