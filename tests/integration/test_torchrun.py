"""`torchrun -m wordworth`: two processes make one model together, of `pretrain` and of `train-sentences`."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
import torch
from tests.training.pretraining.conftest import documents
from tests.training.sentences.sentence_files import files_to_train_on

from wordworth import records
from wordworth.models.checkpoint import read_checkpoint
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.pretraining.metrics_log import read

TWO = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
SMALL = [
    "--model-size",
    "1x32",
    "--override",
    "batch_size=8",
    "--override",
    "lengths=16,16",
    "--threads",
    "1",
    "--evals",
    "1",
]
PRETRAIN = ["pretrain", "corpus", "--tokenizer", "tok", "--held-out", "other.txt", "--out", "model", *SMALL]

pytestmark = pytest.mark.slow


WITHOUT_BFLOAT16 = """
import torch
torch.cpu._is_avx512_bf16_supported = torch.cpu._is_amx_tile_supported = lambda: False
"""


def start(home, *words, processes=1, **variables):
    how, environment = TWO if processes == 2 else [], {**os.environ, "OMP_NUM_THREADS": "1", **variables}
    line = [sys.executable, *how, "-m", "wordworth", *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(line, cwd=home, env=environment, stdout=pipe, stderr=pipe, text=True)


def said(process):
    """Exit code, output and errors."""
    out, err = process.communicate()
    return process.returncode, out, err


def losses(home):
    return [(row["step"], row["loss"]) for row in read(home / "model" / "training") if row["kind"] == "step"]


@pytest.fixture
def home(tmp_path):
    """A folder with a corpus, other text, and a tokenizer that was trained on the corpus."""
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "some.txt").write_text("\n\n".join(documents(0, 30)))
    (tmp_path / "other.txt").write_text("\n\n".join(documents(1, 9)))
    assert said(start(tmp_path, "tokenizer", "corpus", "--size", "120", "--out", "tok"))[0] == 0
    return tmp_path


def test_two_processes_make_one_model_and_speak_once(home):
    code, out, err = said(start(home, *PRETRAIN, "--steps", "6", processes=2))
    assert code == 0, err
    assert out.startswith("model: 6 steps, ")
    assert len(out.splitlines()) == 1
    for told in ("corpus: 1 document, ", "other.txt: 1 document, ", "held out, after step 6: "):
        assert err.count(told) == 1
    assert [step for step, _ in losses(home)] == [1, 2, 3, 4, 5, 6]
    assert Tokenizer.read(home / "model").vocab_size == 120
    assert read_checkpoint(home / "model").names.unexpected == ()
    before = (home / "model" / "model.safetensors").read_bytes()
    again, told, notes = said(start(home, *PRETRAIN, "--steps", "6"))
    assert (again, told) == (0, out)
    assert "all 6 steps are done already" in notes
    assert (home / "model" / "model.safetensors").read_bytes() == before


def test_one_process_goes_on_with_what_two_were_stopped_at(home):
    two = start(home, *PRETRAIN, "--steps", "100000", processes=2)
    while two.poll() is None and len(losses(home)) < 5:
        time.sleep(0.1)
    two.send_signal(signal.SIGTERM)
    code, out, err = said(two)
    assert code != 0
    assert not out
    assert err.count("wordworth: stopped; nothing half-written is left, and the same command goes on from there") == 1
    assert not (home / "model" / "config.json").exists()
    made = losses(home)
    code, out, err = said(start(home, *PRETRAIN, "--steps", str(len(made) + 4)))
    assert code == 0, err
    assert f"resuming after step {len(made):,}\n" in err
    assert out.startswith(f"model: {len(made) + 4:,} steps, ")
    assert losses(home)[: len(made)] == made


@pytest.mark.parametrize("loss", ["ranking", "softmax"])
def test_sentence_vectors_of_two_processes_are_those_of_one(tmp_path, loss):
    """Every text is compared with those of both; without dropout all that differs is how sums are rounded.

    In float32, as one process computes a batch in one part and two in two, and Adam makes much of what bfloat16 rounds.
    """
    files_to_train_on(tmp_path)
    (tmp_path / "sitecustomize.py").write_text(WITHOUT_BFLOAT16)
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    config = json.loads((tmp_path / "tiny" / "config.json").read_text())
    without_dropout = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
    (tmp_path / "tiny" / "config.json").write_text(json.dumps(config | without_dropout))
    words = ["train-sentences", "nli.csv", "--model", "tiny", "--loss", loss, "--dev", "sts.csv", "--batch-size", "16"]
    words += ["--max-length", "64", "--epochs", "2"]
    for processes, out in ((1, "one"), (2, "two")):
        process = start(tmp_path, *words, "--out", out, processes=processes, PYTHONPATH=path)
        assert said(process)[0] == 0
    before, one, two = (weights_of(tmp_path / name) for name in ("tiny", "one", "two"))
    assert (two - one).norm() < 0.01 * (one - before).norm()
    kept = [records.read(tmp_path / name / "record.json").table("evaluations")["kept"] for name in ("one", "two")]
    assert kept[0].tolist() == kept[1].tolist()


def weights_of(folder):
    model = read_checkpoint(folder).model
    return torch.cat(
        [value.detach().flatten() for part in (model.embedding, model.body) for value in part.parameters()]
    )
