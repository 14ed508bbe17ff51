"""`wordworth embed` from the command line: what it prints."""

import pytest
from click.testing import CliRunner
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth.cli.embed import command


@pytest.mark.parametrize(("texts", "counted"), [(1, "1 vector of "), (2, "2 vectors of ")])
def test_it_counts_the_vectors(tmp_path, texts, counted):
    (tmp_path / "x.csv").write_text("text\n" + "a film\n" * texts)
    arguments = [tmp_path / "x.csv", "--model", write_tiny_encoder(tmp_path / "tiny"), "--out", tmp_path / "v.npy"]
    assert counted in CliRunner().invoke(command, list(map(str, arguments)), catch_exceptions=False).output
