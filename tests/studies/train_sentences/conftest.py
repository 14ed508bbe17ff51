import pytest
from tests.training.sentences.sentence_files import files_to_train_on


@pytest.fixture(scope="package")
def files(tmp_path_factory):
    return files_to_train_on(tmp_path_factory.mktemp("files"))
