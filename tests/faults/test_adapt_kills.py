"""adapt killed while it writes the model that it starts from: the same call then ends as one never killed."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.training.pretraining.conftest import store

from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain

ADAPT = """
import sys
from pathlib import Path
import torch
from wordworth.training.pretraining.pretrain_and_adapt import adapt
from wordworth.training.pretraining.initial_model import VocabularyChange
torch.set_num_threads(1)
model, notes, out = sys.argv[1:4]
pieces = VocabularyChange(vocabulary="extend", new_subwords=30)
changes = ["batch_size=8", "lengths=16,16"]
adapt(model, [Path(notes)], out=Path(out), vocabulary=pieces, recipe=("adapt", changes), steps=2)
"""
TORN = """
import os, signal
from wordworth.models import save_encoder
def half(tensors, path):
    whole(tensors, path)
    os.truncate(path, path.stat().st_size // 2)
    os.kill(os.getpid(), signal.SIGKILL)
whole, save_encoder.write_safetensors = save_encoder.write_safetensors, half
"""
"""The first weights that are written end half way, and the process with them."""


@pytest.fixture
def model(tmp_path) -> Path:
    learned = recipe("modern", ["batch_size=8", "lengths=16,16"])
    corpus, out = store(tmp_path / "corpus", 0, 20), tmp_path / "model"
    pretrain(PretrainingConfig(stores=(corpus,), out=out, model_size="1x32", steps=2, recipe=learned))
    return out


def run(script: str, *places: Path) -> int:
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    return subprocess.run([sys.executable, "-c", script, *map(str, places)], env=environment, check=False).returncode


@pytest.mark.slow
def test_a_start_that_a_kill_left_torn_is_made_anew(model, tmp_path):
    notes, whole, killed = tmp_path / "notes.txt", tmp_path / "whole", tmp_path / "killed"
    notes.write_text("\n\n".join(["the zebra sees the fox here. the zebra likes the quagga today."] * 4))
    assert run(TORN + ADAPT, model, notes, killed) == -signal.SIGKILL
    assert run(ADAPT, model, notes, killed) == run(ADAPT, model, notes, whole) == 0
    for name in ("model.safetensors", "tokenizer.json"):
        assert (killed / name).read_bytes() == (whole / name).read_bytes()
    assert not list(killed.rglob(".*.part"))
