"""`wordworth pretrain` and `wordworth adapt` at the terminal: what they leave, and one clear line for each mistake."""

import json

import pytest
import torch
from tests.cli.terminal import wordworth
from tests.training.pretraining.conftest import PIECES, documents

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
    other = ["--override", "lengths=16,16", "--steps", "2", "--threads", "1"]
    done = wordworth("adapt", "model", "--corpus", "other.txt", "--out", "new", *other)
    assert done.code == 0, done.err
    assert (home / "new" / "model.safetensors").exists()


def test_text_of_another_column_is_read_by_every_command_that_reads_a_corpus(home):
    rows = [json.dumps({"note": text}) for text in documents(0, 30)]
    (home / "notes.jsonl").write_text("\n".join(rows) + "\n")
    read = ["--text", "note"]
    done = wordworth("tokenizer", "notes.jsonl", *read, "--size", "120", "--out", "made")
    assert done.code == 0, done.err
    done = wordworth("pretrain", "notes.jsonl", *read, "--tokenizer", "made", "--out", "model", "--steps", "2", *SMALL)
    assert done.code == 0, done.err
    pieces = ["--vocabulary", "extend", "--new-subwords", "40"]
    adapt = ["adapt", "model", "--corpus", "notes.jsonl", *pieces, "--override", "lengths=16,16", "--steps", "2"]
    done = wordworth(*adapt, *read, "--out", "new")
    assert done.code == 0, done.err
    done = wordworth(*adapt, "--out", "none")
    assert done.code == 2
    assert "'text'" in done.err


def test_a_line_is_a_document_where_the_layout_says_so(home):
    (home / "lines.txt").write_text("\n".join(documents(0, 30)))
    given = ["pretrain", "lines.txt", "--tokenizer", "tok", "--steps", "2", *SMALL]
    counts = []
    for layout in ("lines", "document"):
        done = wordworth(*given, "--layout", layout, "--out", layout)
        assert done.code == 0, done.err
        (meta,) = (home / layout).rglob("store.json")
        counts.append(json.loads(meta.read_text())["counts"]["documents"])
    assert counts == [30, 1]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["corpus", "--steps", "3"], "--tokenizer"),
        (
            ["corpus", "--tokenizer", "tok", "--steps", "3", "--micro-batch-tokens", "0"],
            "--micro-batch-tokens 0 is out of range",
        ),
        (["nowhere", "--tokenizer", "tok", "--steps", "3"], "nowhere"),
        (["empty.txt", "--tokenizer", "tok", "--steps", "3"], "no text"),
        (["corpus", "--tokenizer", "nowhere", "--steps", "3"], "nowhere"),
        (["corpus", "--tokenizer", "tok"], "give one of steps, epochs and budget"),
        (["corpus", "--tokenizer", "tok", "--steps", "3", "--epochs", "1"], "give one of steps, epochs and budget"),
        (["corpus", "--tokenizer", "tok", "--budget", "soon"], "is not a duration"),
        (["corpus", "--tokenizer", "tok", "--steps", "3", "--override", "dropuot=0.1"], "did you mean 'dropout'"),
        (["corpus", "--tokenizer", "tok", "--steps", "3", "--model-size", "minni"], "did you mean 'mini'"),
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
    done = wordworth(*given, "--model-size", "2x32")
    assert done.code == 2
    assert "another model_size is here: 1x32, not 2x32" in done.err


@pytest.mark.usefixtures("home")
def test_former_options_and_settings_still_work_with_a_notice():
    former = ["--shape", "1x32", "--with", "batch=8", "--with", "lengths=16,16", "--threads", "1", "--looks", "1"]
    done = wordworth("pretrain", "corpus", "--tokenizer", "tok", "--out", "model", "--steps", "2", *former)
    assert done.code == 0
    for notice in (
        "--shape is called --model-size now",
        "--with is called --override now",
        "batch is called batch_size",
    ):
        assert notice in done.err
