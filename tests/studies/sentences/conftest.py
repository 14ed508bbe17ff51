import pytest
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.training.sentences.sentence_files import scored


@pytest.fixture(scope="package")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    scored(folder / "pairs.csv", 60)
    write_tiny_encoder(folder / "tiny")
    return folder
