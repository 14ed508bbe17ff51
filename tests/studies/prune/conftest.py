import pytest
from tests.inference.tuned_model import write_rows, write_tuned

from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="package")
def run(tmp_path_factory):
    return write_tuned(tmp_path_factory.mktemp("run"), steps=60)


@pytest.fixture(scope="package")
def rows(tmp_path_factory):
    return write_rows(tmp_path_factory.mktemp("rows") / "dev.csv", sample_task("single"))
