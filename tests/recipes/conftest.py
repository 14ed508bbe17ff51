import pytest
from tests.training.pretraining.conftest import PIECES, documents

from parts.domain_stores import store_of
from wordworth.text.tokenizer import Tokenizer


@pytest.fixture(scope="session")
def corpus(tmp_path_factory):
    """A small token store."""
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "vocab.txt").write_text("\n".join(PIECES) + "\n")
    store_of(documents(0, 60), Tokenizer.wordpiece(folder / "vocab.txt"), folder / "store")
    return folder / "store"
