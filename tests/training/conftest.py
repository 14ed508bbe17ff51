import pytest
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.models.read_encoder import read_encoder


@pytest.fixture(scope="session")
def tiny(tmp_path_factory):
    """A small random BERT that knows the words of the sample tasks."""
    return read_encoder(write_tiny_encoder(tmp_path_factory.mktemp("tuning") / "tiny"))
