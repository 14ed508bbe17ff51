"""A corpus in several scripts, and a tokenizer of each algorithm trained on it."""

from __future__ import annotations

import json

import pytest

from wordworth.seeds import child
from wordworth.text.subwords.settings import TokenizerSettings
from wordworth.text.subwords.train import train_tokenizer
from wordworth.text.tokenizer import Tokenizer

ALGORITHMS = ("wordpiece", "byte-level", "unigram")
SYLLABLES = ["ba", "ko", "ti", "mu", "re", "sal", "ven", "Dor", "né", "ло", "ми", "कि", "ता"]
IDEOGRAPHS = "天地神创造猫"


def texts(documents=120):
    draw = child(0, "scripts")
    words = ["".join(draw.choice(SYLLABLES, size=draw.integers(1, 4))) for _ in range(150)]
    words += [*IDEOGRAPHS, "12", "1917,", "(so)", "don't"]
    return [" ".join(draw.choice(words, size=30)) + "." for _ in range(documents)]


@pytest.fixture(scope="session")
def scripts(tmp_path_factory):
    path = tmp_path_factory.mktemp("scripts") / "corpus.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts()))
    return path


@pytest.fixture(scope="session")
def trained(scripts, tmp_path_factory):
    """Algorithm -> its trained tokenizer, cased."""
    folder = tmp_path_factory.mktemp("trained")
    settings = [TokenizerSettings(algorithm=name, size=300, lowercase=False, exact=False) for name in ALGORITHMS]
    return {each.algorithm: train_tokenizer(scripts, folder / each.algorithm, each) for each in settings}


@pytest.fixture(scope="session")
def folders(trained, tmp_path_factory):
    """Algorithm -> the folder of its tokenizer."""
    from wordworth.text.tokenizer_files import save_tokenizer

    root = tmp_path_factory.mktemp("tokenizers")
    for name, each in trained.items():
        (root / name).mkdir()
        save_tokenizer(each.tokenizer, root / name)
        assert Tokenizer.read(root / name).fingerprint == each.tokenizer.fingerprint
    return {name: root / name for name in trained}
