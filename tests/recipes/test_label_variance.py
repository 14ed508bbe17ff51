"""The prior of the variance by labels comes from kept runs; without any, no record is written."""

import sys

import pytest

import label_variance
from wordworth.errors import BadInput


def test_without_kept_runs_nothing_is_written(tmp_path, monkeypatch):
    out = tmp_path / "record.json"
    words = ("--data", tmp_path, "--runs", tmp_path / "none", "--out", out)
    monkeypatch.setattr(sys, "argv", ["label_variance", *map(str, words)])
    with pytest.raises(BadInput, match=r"none: no runs on fresh labels; make them with recipes/validity\.py"):
        label_variance.main()
    assert not out.exists()
