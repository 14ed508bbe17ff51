"""`wordworth cascade` from the command line: what it prints, and its errors."""

import pytest
from tests.cli.terminal import wordworth
from tests.inference.test_rung_predictor import in_folder
from tests.inference.tuned_model import write_rows, write_tuned

from wordworth.testing.sample_tasks import sample_task


@pytest.fixture
def arguments(tmp_path):
    rows = write_rows(tmp_path / "dev.csv", sample_task("classification", 90))
    return [in_folder(tmp_path / "rung"), write_tuned(tmp_path, steps=1), "--data", rows, "--out", tmp_path / "out"]


def test_it_says_what_the_cascade_costs_and_how_to_serve_it(arguments, tmp_path):
    done = wordworth("cascade", *arguments, "--draws", 100, "--margin", 90)
    assert done.code == 0, done.err
    assert "ms a text" in done.out
    assert done.out.rstrip().endswith(f"wordworth serve {tmp_path / 'out'}")


def test_what_is_no_model_and_no_file_is_one_error(arguments, tmp_path):
    done = wordworth("cascade", tmp_path / "nowhere", *arguments[1:])
    assert (done.code, "no such folder" in done.err) == (2, True)
    done = wordworth("cascade", *arguments[:3], tmp_path / "nothing.csv", *arguments[4:])
    assert (done.code, "nothing.csv" in done.err) == (2, True)
    assert not (tmp_path / "out").exists()
