"""From text to a model of one's own in Python, with the functions that are named as the commands are."""

import pytest
import torch
from tests.training.pretraining.conftest import documents

import wordworth as ww
from wordworth.errors import BadInput


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A folder with a corpus; torch's threads are as they were afterwards."""
    folder, threads = tmp_path_factory.mktemp("home"), torch.get_num_threads()
    (folder / "some.txt").write_text("\n\n".join(documents(0, 30)))
    (folder / "other.txt").write_text("\n\n".join(documents(1, 9)))
    yield folder
    torch.set_num_threads(threads)


@pytest.fixture(scope="module")
def model(home):
    """A tokenizer and a model, made of the corpus in three steps."""
    made = ww.tokenizer(home / "some.txt", out=home / "tok", size=120)
    assert made.tokenizer.vocab_size == 120
    small = {"batch_size": 8, "lengths": (16, 16), "biases": False, "learning_rate": 1e-3}
    result = ww.pretrain(
        home / "some.txt",
        tokenizer=home / "tok",
        override=small,
        model_size="1x32",
        steps=3,
        threads=1,
        out=home / "model",
    )
    assert result.steps == 3
    return result.folder


def test_a_model_is_checked_loaded_and_fills_gaps(model):
    assert all(check.passed for check in ww.doctor(model))
    assert ww.load(model).encode("the fox").shape == (32,)
    assert len(ww.fill(model, "the [MASK] sees", top=2).gaps[0]) == 2


def test_a_model_is_continued_on_other_text(home, model):
    change = {"vocabulary": "extend", "new_subwords": 5}
    result = ww.adapt(
        model, [home / "other.txt"], override=["lengths=16,16"], steps=2, threads=1, out=home / "new", **change
    )
    assert (result.folder / "model.safetensors").exists()


def test_a_model_becomes_a_static_table(home, model):
    table = ww.to_static(model, home / "some.txt", out=home / "static", least=2, width=8)
    assert ww.load(home / "static").width == table.vectors.shape[1] == 8


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda out: ww.pretrain("some.txt", out=out, override={"batch_siz": 8}, steps=1),
            "unknown setting 'batch_siz'",
        ),
        (
            lambda out: ww.pretrain("some.txt", out=out, recipe="papr", steps=1),
            "no recipe 'papr'; did you mean 'paper'",
        ),
        (lambda out: ww.pretrain("some.txt", out=out), "no length of the run is given"),
        (lambda out: ww.pretrain("some.txt", out=out, evals=0, steps=1), "`evals` 0 is out of range; give 1 or more"),
        (lambda out: ww.tokenizer("some.txt", out=out, size=5), "`size` 5 is out of range; give 6 or more"),
        (lambda out: ww.to_static("mini", out=out), "no corpus was given; name one with `corpus`"),
        (
            lambda out: ww.adapt("mini", "some.txt", out=out, vocabulary="replace"),
            "replacing the vocabulary needs a tokenizer",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_the_words_of_the_command_line(tmp_path, monkeypatch, call, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "some.txt").write_text("some words\n")
    with pytest.raises(BadInput, match=message):
        call(tmp_path / "out")
    assert not (tmp_path / "out").exists()
