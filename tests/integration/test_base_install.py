"""Without torch everything that needs no neural network works, and the rest answers with the line that installs it."""

import os
import subprocess
import sys

import pytest
from tests.cli.terminal import reviews, wordworth

import wordworth as ww
from wordworth.download_catalogue import Entry

WITHOUT_TORCH = """
import sys
from importlib.machinery import PathFinder

class Without(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] == "torch" else super().find_spec(name, path, target)

sys.meta_path = [Without if finder is PathFinder else finder for finder in sys.meta_path]
from wordworth.studies.worth import running_costs
running_costs._SECONDS = 0.01
from wordworth.cli import main
main()
"""


def without_torch(*words):
    """A command in a process that finds no torch."""
    command = [sys.executable, "-c", WITHOUT_TORCH, *map(str, words)]
    return subprocess.run(command, env={**os.environ, "COLUMNS": "200"}, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("words", [["doctor", "minilm"], ["embed", "r.csv", "--model", "minilm", "--out", "v.npy"]])
def test_what_needs_torch_says_how_to_install_it(tmp_path, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    reviews(tmp_path / "r.csv")
    done = without_torch(*words)
    assert done.returncode == 2
    assert done.stderr.startswith("wordworth: this needs torch, which is not installed; pip install torch")


@pytest.mark.slow
def test_the_cheap_rungs_are_measured_and_the_others_say_what_they_miss(tmp_path):
    data, out = reviews(tmp_path / "reviews.csv"), tmp_path / "run"
    done = without_torch("worth", data, "--quick", "--seeds", 2, "--out", out)
    assert done.returncode == 0, done.stderr
    ladder = ww.read_record(out / "record.json").table("ladder").set_index("rung")
    assert ladder.loc["tfidf", "state"] == "measured"
    assert ladder.loc["minilm", "state"] == "skipped"
    assert "pip install" in ladder.loc["minilm", "reason"]
    assert "No contextual encoder could be measured (this needs torch, which is not installed; pip" in done.stdout
    named = ww.read_record(out / "record.json").finding("verdict").numbers["rung"]
    assert done.stdout.rstrip().endswith(f"wordworth serve {out}") or named == "majority"
    predicted = without_torch("predict", out, data, "--out", tmp_path / "answers.csv")
    assert predicted.returncode == 0, predicted.stderr


@pytest.mark.slow
def test_without_the_carrier_of_the_default_encoder_the_cheap_rungs_are_measured(tmp_path, monkeypatch):
    monkeypatch.setattr(Entry, "folder", None)
    data, out = reviews(tmp_path / "reviews.csv"), tmp_path / "run"
    done = wordworth("worth", data, "--quick", "--seeds", 2, "--out", out)
    assert done.code == 0, done.err
    assert "No contextual encoder could be measured (MiniLM" in done.out
    assert wordworth("worth", data, "--quick", "--seeds", 2, "--model", "none", "--out", out).code == 0
    assert "No contextual encoder was asked for" in ww.read_record(out / "record.json").verdict
