"""`wordworth study entities` from the command line: what it prints, and its errors."""

import pytest
from click.testing import CliRunner
from tests.studies.entities.conftest import QUICK, write_inputs

from wordworth.cli.study_entities import command
from wordworth.errors import BadInput


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_inputs(tmp_path_factory.mktemp("entities"))


def run(*arguments):
    return CliRunner().invoke(command, list(map(str, arguments)), catch_exceptions=False)


def test_it_prints_the_verdict_and_where_the_page_is(folder):
    choices = [word for name, value in QUICK.items() for word in (f"--{name}", value)]
    result = run(folder / "rows.csv", "--model", folder / "fused", *choices, "--out", folder / "run")
    assert "no entities:" in result.output
    assert "run/report.html" in result.output


def test_a_model_without_entities_is_refused(folder, tmp_path):
    with pytest.raises(BadInput, match="fuses no entities"):
        run(folder / "rows.csv", "--model", folder / "encoder", "--out", tmp_path / "run")
