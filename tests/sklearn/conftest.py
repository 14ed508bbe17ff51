import pytest
from tests.representations.conftest import table_file  # noqa: F401 - a fixture
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory) -> str:
    return str(write_tiny_encoder(tmp_path_factory.mktemp("sklearn") / "tiny"))


@pytest.fixture(scope="session")
def labelled() -> tuple[list[str], list[str]]:
    """Texts and their classes."""
    task = sample_task("classification")
    return list(task.examples.first), [task.classes[label] for label in task.labels]
