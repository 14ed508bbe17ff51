"""A small WordPiece tokenizer whose pieces can be counted by eye: single letters, and a few words."""

import pytest
from tests.text.toys import SMALL, write_vocabulary

from wordworth.errors import BadInput
from wordworth.sources import resolve
from wordworth.text.tokenizer import Tokenizer


@pytest.fixture(scope="session")
def letters(tmp_path_factory) -> Tokenizer:
    return Tokenizer.wordpiece(write_vocabulary(tmp_path_factory.mktemp("letters"), SMALL))


@pytest.fixture(scope="session")
def minilm() -> Tokenizer:
    try:
        return Tokenizer.read(resolve("minilm").folder)
    except BadInput as absent:
        pytest.skip(str(absent))
