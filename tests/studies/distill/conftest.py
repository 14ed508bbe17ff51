import pytest
from tests.inference.tuned_model import write_rows, write_tuned

from wordworth.studies.distill import distill
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="package")
def run(tmp_path_factory):
    return write_tuned(tmp_path_factory.mktemp("run"), steps=60)


@pytest.fixture(scope="package")
def rows(tmp_path_factory):
    return write_rows(tmp_path_factory.mktemp("rows") / "train.csv", sample_task("single"))


@pytest.fixture(scope="package")
def answered(run, rows, tmp_path_factory):
    """A record of students by two methods and the control, and their folder."""
    out = tmp_path_factory.mktemp("distil") / "small"
    choices = {"layers": 1, "compare": "finetune,distilbert", "seeds": 2, "epochs": 2, "processes": 1}
    return distill(run, out, data=rows, method="kd", **choices), out
