from __future__ import annotations

from pathlib import Path

import pytest
from tests.text.families import byte_pairs, unigrams
from tests.text.toys import SMALL, TOY, write_vocabulary

from wordworth.errors import BadInput
from wordworth.sources import resolve
from wordworth.text.tokenizer import Tokenizer


@pytest.fixture
def toy(tmp_path: Path) -> Tokenizer:
    return Tokenizer.wordpiece(write_vocabulary(tmp_path, TOY))


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    return Tokenizer.wordpiece(write_vocabulary(tmp_path_factory.mktemp("small"), SMALL))


@pytest.fixture(scope="session")
def minilm_folder() -> Path:
    try:
        return resolve("minilm").folder
    except BadInput as absent:
        pytest.skip(str(absent))


@pytest.fixture(scope="session")
def minilm(minilm_folder: Path) -> Tokenizer:
    return Tokenizer.read(minilm_folder)


@pytest.fixture(scope="session")
def minilm_pieces(minilm: Tokenizer) -> frozenset[str]:
    return frozenset(minilm.token(index) for index in range(minilm.vocab_size))


@pytest.fixture(scope="session")
def gpt2(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    return Tokenizer.read(byte_pairs(tmp_path_factory.mktemp("gpt2"), ["<|endoftext|>"]))


@pytest.fixture(scope="session")
def roberta(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    return Tokenizer.read(byte_pairs(tmp_path_factory.mktemp("roberta"), ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]))


@pytest.fixture(scope="session")
def xlm_roberta(tmp_path_factory: pytest.TempPathFactory) -> Tokenizer:
    return Tokenizer.read(unigrams(tmp_path_factory.mktemp("xlm_roberta")))
