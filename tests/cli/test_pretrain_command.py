"""`wordworth pretrain` and `wordworth adapt` at the terminal: what they leave, and one clear line for each mistake."""

import json

import pytest
import torch
from tests.cli.terminal import wordworth
from tests.training.pretraining.conftest import PIECES, documents

SMALL = ["--shape", "1x32", "--with", "batch=8", "--with", "lengths=16,16", "--threads", "1", "--looks", "1"]


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A folder to work in, with a corpus, other text and a tokenizer; threads are as they were afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OMP_WAIT_POLICY", "PASSIVE")
    threads = torch.get_num_threads()
    (tmp_path / "tok").mkdir()
    (tmp_path / "tok" / "vocab.txt").write_text("\n".join(PIECES) + "\n")
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "some.txt").write_text("\n\n".join(documents(0, 30)))
    (tmp_path / "other.txt").write_text("\n\n".join(documents(1, 9)))
    yield tmp_path
    torch.set_num_threads(threads)


def test_text_becomes_a_model_and_other_text_another(home):
    pretrain = ["pretrain", "corpus", "--tokenizer", "tok", "--held-out", "other.txt", "--out", "model", "--steps", "3"]
    done = wordworth(*pretrain, *SMALL)
    assert done.code == 0, done.err
    assert "3 steps" in done.out
    assert json.loads((home / "model" / "config.json").read_text())["num_hidden_layers"] == 1
    again = wordworth(*pretrain, *SMALL)
    assert again.code == 0, again.err
    other = ["--with", "lengths=16,16", "--steps", "2", "--threads", "1"]
    done = wordworth("adapt", "model", "--corpus", "other.txt", "--out", "new", *other)
    assert done.code == 0, done.err
    assert (home / "new" / "model.safetensors").exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["corpus", "--steps", "3"], "--tokenizer"),
        (["nowhere", "--tokenizer", "tok", "--steps", "3"], "nowhere"),
        (["empty.txt", "--tokenizer", "tok", "--steps", "3"], "no text"),
        (["corpus", "--tokenizer", "nowhere", "--steps", "3"], "nowhere"),
        (["corpus", "--tokenizer", "tok"], "give one of steps, epochs and budget"),
        (["corpus", "--tokenizer", "tok", "--steps", "3", "--epochs", "1"], "give one of steps, epochs and budget"),
        (["corpus", "--tokenizer", "tok", "--budget", "soon"], "no span of time"),
        (["corpus", "--tokenizer", "tok", "--steps", "3", "--with", "dropuot=0.1"], "did you mean 'dropout'"),
        (["corpus", "--tokenizer", "tok", "--steps", "3", "--shape", "minni"], "did you mean 'mini'"),
        (["corpus", "--tokenizer", "tok", "--steps", "3", "--out", "corpus/some.txt"], "a file, not a folder"),
    ],
)
def test_a_mistake_is_one_clear_line_and_leaves_no_model(home, given, said):
    (home / "empty.txt").write_text(" \n\n ")
    done = wordworth("pretrain", "--out", "model", *given)
    assert done.code == 2
    assert said in done.err
    assert len(done.err.strip().splitlines()) == 1
    assert not (home / "model" / "config.json").exists()


@pytest.mark.usefixtures("home")
def test_a_run_of_another_shape_is_not_gone_on_with():
    given = ["pretrain", "corpus", "--tokenizer", "tok", "--out", "model", "--steps", "2", *SMALL]
    assert wordworth(*given).code == 0
    done = wordworth(*given, "--shape", "2x32")
    assert done.code == 2
    assert "another shape is here: 1x32, not 2x32" in done.err
