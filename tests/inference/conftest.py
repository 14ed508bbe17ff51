import pytest
from tests.representations.tiny_encoder import write_tiny_encoder


@pytest.fixture(scope="session")
def encoder(tmp_path_factory) -> str:
    return str(write_tiny_encoder(tmp_path_factory.mktemp("predict") / "tiny"))
