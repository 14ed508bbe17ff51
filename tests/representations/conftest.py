import pytest
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory) -> str:
    return str(write_tiny_encoder(tmp_path_factory.mktemp("contextual") / "tiny"))


@pytest.fixture(scope="session")
def table_file(tmp_path_factory) -> str:
    """A static table of the words of the texts below."""
    words = sorted({word for text in sample_task("classification").examples.first for word in text.split()})
    path = tmp_path_factory.mktemp("table") / "table.txt"
    path.write_text("".join(f"{word} {number % 7} {number % 5} 1\n" for number, word in enumerate(words)))
    return str(path)
