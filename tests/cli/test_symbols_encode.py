"""`wordworth symbols encode` from the command line."""

import numpy as np
from click.testing import CliRunner

import wordworth as ww
from wordworth.cli.symbols_encode import command


def test_it_writes_the_codes_and_says_how_many(tmp_path):
    np.save(tmp_path / "f.npy", np.random.default_rng(0).normal(size=(50, 3)))
    ww.learn_symbols(tmp_path / "f.npy", tmp_path / "codes", k=2, depth=2)
    arguments = [tmp_path / "codes", tmp_path / "f.npy", "--depth", 1, "--out", tmp_path / "c.npy"]
    result = CliRunner().invoke(command, list(map(str, arguments)), catch_exceptions=False)
    assert "50 codes" in result.output
    assert set(np.load(tmp_path / "c.npy")) == {0, 1}
