"""`wordworth study codes` from the command line: what it prints, and its errors."""

import pytest
from click.testing import CliRunner
from tests.studies.medical_codes.conftest import FAST, codes_study  # noqa: F401 - a fixture

from wordworth.cli.study_codes import command
from wordworth.errors import BadInput


def run(*arguments):
    return CliRunner().invoke(command, list(map(str, arguments)), catch_exceptions=False)


def test_it_prints_the_verdict_and_where_the_page_is(codes_study, tmp_path):  # noqa: F811
    files, record = codes_study
    choices = [word for name, value in FAST.items() for word in (f"--{name}", value)]
    ontologies = [
        word for name in ("input_ontology", "target_ontology") for word in (f"--{name.replace('_', '-')}", files[name])
    ]
    result = run(files["visits"], *ontologies, *choices, "--synthetic", "--out", tmp_path / "run")
    assert record.verdict in result.output
    assert "These are synthetic patients" in result.output
    assert "run/report.html" in result.output


def test_a_study_without_an_ontology_is_refused(codes_study, tmp_path):  # noqa: F811
    with pytest.raises(BadInput, match="no ontology"):
        run(codes_study[0]["visits"], "--out", tmp_path / "run")
