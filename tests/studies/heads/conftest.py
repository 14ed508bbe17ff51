import pytest
from tests.inference.tuned_model import write_rows, write_tuned

import wordworth as ww
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="package")
def run(tmp_path_factory):
    return write_tuned(tmp_path_factory.mktemp("run"), steps=80)


@pytest.fixture(scope="package")
def rows(tmp_path_factory):
    return write_rows(tmp_path_factory.mktemp("rows") / "dev.csv", sample_task("single"))


@pytest.fixture(scope="package")
def record(run, rows):
    return ww.study_heads(run, rows, limit=80, draws=200)
