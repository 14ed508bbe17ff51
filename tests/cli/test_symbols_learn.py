"""`wordworth symbols learn` from the command line."""

import numpy as np
import pytest
from click.testing import CliRunner

from wordworth.cli.symbols_learn import command
from wordworth.errors import BadInput


def run(*arguments):
    return CliRunner().invoke(command, list(map(str, arguments)), catch_exceptions=False)


def test_it_prints_the_codes_in_use_and_where_the_page_is(tmp_path):
    np.save(tmp_path / "f.npy", np.random.default_rng(0).normal(size=(50, 3)))
    result = run(tmp_path / "f.npy", "--k", 2, "--depth", 2, "--out", tmp_path / "codes")
    assert "4 of 4 codes in use" in result.output
    assert "codes/report.html" in result.output


def test_a_missing_file_is_one_clear_error(tmp_path):
    with pytest.raises(BadInput, match="there is no such file"):
        run(tmp_path / "f.npy", "--out", tmp_path / "codes")
