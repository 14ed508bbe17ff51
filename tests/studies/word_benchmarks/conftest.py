"""The published sets of words, small ones, that the tests of this folder read."""

import pytest
from tests.studies.word_benchmarks.small_sets import FILES
from tests.tasks.datasets.data_folder import write


@pytest.fixture
def data(tmp_path):
    return write(tmp_path / "wordsets", FILES)
