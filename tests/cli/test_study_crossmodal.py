"""`wordworth study crossmodal` from the command line."""

import pytest
from click.testing import CliRunner
from tests.studies.crossmodal.made_up import FAST, write_inputs

from wordworth.cli.study_crossmodal import command


@pytest.mark.slow
def test_it_prints_the_answer_and_where_the_page_is(tmp_path):
    inputs = write_inputs(tmp_path, sounds=False)
    options = [part for name, value in FAST.items() for part in (f"--{name.replace('_', '-')}", value)]
    arguments = [*inputs, *options, "--out", tmp_path / "run"]
    result = CliRunner().invoke(command, list(map(str, arguments)), catch_exceptions=False)
    assert "chance is 50 %" in result.output
    assert "run/report.html" in result.output
