"""A small corpus with something to learn, as a token store."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch

from wordworth.text.corpus.token_store import build_store
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.recipe import recipe
from wordworth.training.pretraining.run import pretrain

NOUNS = ("fox", "dog", "cat", "bird", "fish", "king", "child", "horse")
VERBS = ("sees", "likes", "hears", "finds")
PLACES = ("here", "there", "today", "again")
PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "the", "a", *NOUNS, *VERBS, *PLACES, "##s"]


def documents(seed: int, count: int) -> list[str]:
    rng = np.random.default_rng(seed)
    sentences = [f"the {a} {b} the {c} {d}." for a, b, c, d in product(NOUNS, VERBS, NOUNS, PLACES)]
    return [" ".join(rng.choice(sentences, size=rng.integers(2, 9))) for _ in range(count)]


def store(folder: Path, seed: int, count: int) -> Path:
    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(PIECES) + "\n")
    text = folder / "text.txt"
    text.write_text("\n\n".join(documents(seed, count)) + "\n")
    build_store(text, Tokenizer.wordpiece(folder / "vocab.txt"), folder / "store")
    return folder / "store"


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    return store(tmp_path_factory.mktemp("corpus") / "learned", 0, 60)


@pytest.fixture(scope="session")
def other(tmp_path_factory):
    return store(tmp_path_factory.mktemp("corpus") / "other", 1, 20)


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Torch on one thread, also for the runs that tests share: the last bits depend on the number of threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def model(corpus, other, tmp_path_factory):
    """A model that has learned a little."""
    out = tmp_path_factory.mktemp("model") / "given"
    changes = ["batch_size=8", "lengths=16,16", "sequences=pairs", "learning_rate=0.01"]
    learned = recipe("modern", changes)
    pretrain(
        PretrainingConfig(
            stores=(corpus,), held_out=other, out=out, model_size="1x32", steps=40, recipe=learned, evals=1
        )
    )
    return out


@pytest.fixture
def notes(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("\n\n".join(["the zebra sees the fox here. the zebra likes the quagga today."] * 3 + ["a zebra."]))
    return path
