"""`wordworth kg fuse` from the command line: what it prints, and its errors."""

import pytest
from click.testing import CliRunner
from tests.models.entity_fusion.fused import write_table
from tests.models.tiny import write_tiny

from wordworth.cli.kg_fuse import command
from wordworth.errors import BadInput


def run(*arguments):
    return CliRunner().invoke(command, list(map(str, arguments)), catch_exceptions=False)


def test_it_says_what_was_fused(tmp_path):
    encoder, table = write_tiny(tmp_path / "encoder"), write_table(tmp_path / "kg")
    result = run(encoder, table, "--layers", 2, "--out", tmp_path / "fused")
    assert "5 entities of 8 numbers, fused into the upper 2 layers" in result.output


def test_vectors_that_are_not_there_are_one_clear_error(tmp_path):
    with pytest.raises(BadInput, match="no vectors of entities here"):
        run(write_tiny(tmp_path / "encoder"), tmp_path, "--out", tmp_path / "fused")
