"""`wordworth kg train` from the command line: what it prints, and its errors."""

import pytest
from click.testing import CliRunner
from tests.training.knowledge_graph.graphs import write_steps

from wordworth.cli.kg_train import command
from wordworth.errors import BadInput


def run(*arguments):
    return CliRunner().invoke(command, list(map(str, arguments)), catch_exceptions=False)


def test_it_prints_the_ranks_and_where_the_page_is(tmp_path):
    triples = write_steps(tmp_path / "line", ring=False)
    result = run(triples, "--epochs", 5, "--dimension", 4, "--out", tmp_path / "kg")
    assert "mean reciprocal rank" in result.output
    assert "kg/report.html" in result.output


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--model", "transr"], "transr"),
        (["--model", "rotate", "--dimension", 5], "rotate needs an even --dimension"),
        (["--device", "gpu"], "no device 'gpu'"),
    ],
)
def test_what_cannot_be_trained_is_one_clear_error_and_writes_nothing(tmp_path, options, message):
    triples = write_steps(tmp_path / "line", ring=False)
    with pytest.raises(BadInput) as error:
        run(triples, *options, "--out", tmp_path / "kg")
    assert message in error.value.in_flags
    assert not (tmp_path / "kg" / "record.json").exists()
