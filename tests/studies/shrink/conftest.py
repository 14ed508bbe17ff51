import pytest
from tests.inference.tuned_model import write_rows, write_tuned

import wordworth as ww
from wordworth.testing.sample_tasks import sample_task


@pytest.fixture(scope="package")
def run(tmp_path_factory):
    return write_tuned(tmp_path_factory.mktemp("run"), steps=60)


@pytest.fixture(scope="package")
def rows(tmp_path_factory):
    return write_rows(tmp_path_factory.mktemp("rows") / "dev.csv", sample_task("single"))


@pytest.fixture(scope="package")
def clear_rows(tmp_path_factory):
    """Rows whose label is one of their words."""
    path = tmp_path_factory.mktemp("clear") / "rows.csv"
    words = ("wonderful", "terrible")
    lines = [f"a {words[n % 2]} film of {n} minutes,{words[n % 2]}" for n in range(120)]
    path.write_text("\n".join(["text,label", *lines]), encoding="utf-8")
    return path


@pytest.fixture(scope="package")
def record(run, rows):
    return ww.study_shrink(run, rows, limit=80, draws=200)


@pytest.fixture(scope="package")
def of_encoder(rows):
    return ww.study_shrink("mini", rows, limit=80, draws=200)
