"""What cannot be done is refused before the data are read: a large file, or a published set, takes long."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.studies.finetune import finetune


@pytest.fixture(autouse=True)
def unread(tmp_path, monkeypatch):
    """A folder with a model and a file that nothing may read."""
    monkeypatch.chdir(tmp_path)
    write_tiny(tmp_path / "model")
    (tmp_path / "table.txt").write_text("the 1 2\ncab 3 4\n")
    (tmp_path / "data.csv").write_text("text,label\n" + "the cab,a\na cab,b\n" * 30)
    for name in ("read_rows", "labelled_rows"):
        monkeypatch.setattr(f"wordworth.tasks.reading.read_task.{name}", lambda *_: pytest.fail("the data were read"))


REFUSED = {
    "tokens": ({"max_length": 600}, "--max-length: model reads at most 24 tokens at once, not 600; give 24 or less"),
    "context": ({"context": 25}, "--context: model reads at most 24 tokens at once, not 25"),
    "a table": ({"model": "table.txt"}, "'table.txt' is a table of vectors and cannot be fine-tuned"),
    "glove": ({"model": "glove"}, "'glove' is a table of vectors and cannot be fine-tuned"),
    "kind": ({"kind": "taging"}, "no kind of task 'taging'; did you mean 'tagging'"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_finetune_refuses_before_it_reads(what):
    choices, says = REFUSED[what]
    with pytest.raises(BadInput, match=says):
        finetune(data="data.csv", out="out", **{"model": "model", **choices})


@pytest.mark.parametrize(
    ("choices", "says"),
    [
        ({"models": "glove"}, "--model glove names a table of word vectors, but --model takes contextual encoders"),
        ({"models": "table.txt"}, r"--model table\.txt names a table of word vectors"),
        ({"kind": "taging"}, "no kind of task 'taging'"),
    ],
)
def test_worth_refuses_before_it_reads(choices, says):
    with pytest.raises(BadInput, match=says):
        ww.worth("data.csv", **choices)


WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None  # whoever imports it now fails
from wordworth.cli import main
main()
"""


STUDIES = ["study senses --model nothere", "study context --model nothere --data data.csv"]


@pytest.mark.parametrize("command", ["doctor nothere", "fill nothere [MASK]", *STUDIES])
def test_a_model_that_is_not_there_is_refused_before_torch_is_loaded(command):
    words = [sys.executable, "-c", WITHOUT_TORCH, *command.split()]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "no model, folder or file 'nothere'" in done.stderr
