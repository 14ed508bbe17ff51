import pytest
from tests.models.tiny import write_tiny

from wordworth.errors import BadInput
from wordworth.models.read_encoder import read_encoder
from wordworth.models.text_encoder import TextEncoder
from wordworth.sources import resolve


@pytest.fixture(scope="session")
def tiny(tmp_path_factory) -> TextEncoder:
    return read_encoder(write_tiny(tmp_path_factory.mktemp("tiny") / "tiny"))


@pytest.fixture(scope="session")
def minilm() -> TextEncoder:
    try:
        folder = resolve("minilm").folder
    except BadInput as error:
        pytest.skip(str(error))
    return read_encoder(folder, name="minilm")
