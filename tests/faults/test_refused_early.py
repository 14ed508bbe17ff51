"""What cannot be done is refused before the data are read: a large file, or a published set, takes long."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.errors import BadInput
from wordworth.studies.finetune import finetune


def write_inputs(folder):
    """A model, a table and a file of rows."""
    write_tiny(folder / "model")
    (folder / "table.txt").write_text("the 1 2\ncab 3 4\n")
    (folder / "data.csv").write_text("text,label\n" + "the cab,a\na cab,b\n" * 30)


@pytest.fixture(autouse=True)
def unread(tmp_path, monkeypatch):
    """A folder with a model and a file that nothing may read."""
    monkeypatch.chdir(tmp_path)
    write_inputs(tmp_path)
    for name in ("read_rows", "labelled_rows"):
        monkeypatch.setattr(f"wordworth.tasks.reading.read_task.{name}", lambda *_: pytest.fail("the data were read"))


REFUSED = {
    "tokens": ({"max_length": 600}, "`max_length`: model reads at most 24 tokens at once, not 600; give 24 or less"),
    "context": ({"context": 25}, "`context`: model reads at most 24 tokens at once, not 25"),
    "a table": ({"model": "table.txt"}, "'table.txt' is a file, not the folder of an encoder, and cannot"),
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
        ({"models": "glove"}, "`models` glove names a table of word vectors, but `models` takes contextual encoders"),
        ({"models": "table.txt"}, r"`models` table\.txt names a table of word vectors"),
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


SAYS_WHETHER_TORCH = """
import io, json, sys
from contextlib import redirect_stderr
from wordworth.cli import main

class Torch:
    imports = 0
    def find_spec(self, name, *_):
        if name == "torch":
            self.imports += 1
            raise ImportError(name)

sys.meta_path.insert(0, torch := Torch())
for line in sys.stdin:
    torch.imports, code, sys.argv = 0, 0, ["wordworth", *line.split()]
    with redirect_stderr(io.StringIO()) as errors:
        try:
            main()
        except SystemExit as stopped:
            code = stopped.code
        except ImportError as error:
            code = repr(error)
    print(json.dumps([line.strip(), code, errors.getvalue(), torch.imports]))
"""
EVERY_COMMAND = {
    "worth nothere.csv": "no such file",
    "worth data.csv --model nothere": "no model, folder or file 'nothere'",
    "worth data.csv --metric nope": "no metric 'nope'",
    "finetune nosuch": "no named task 'nosuch'",
    "finetune --data nothere.csv": "no such file",
    "finetune --data data.csv --model nothere": "no model, folder or file 'nothere'",
    "finetune --data data.csv --metric nope": "no metric 'nope'",
    "predict nothere data.csv --out v.csv": "no such folder",
    "predict data.csv data.csv --out v.csv": "not a folder",
    "predict model data.csv --out v.csv": "not the folder of a fine-tuned model",
    "pretrain nothere --tokenizer model --steps 2 --out o": "no such file or folder",
    "pretrain table.txt --tokenizer nothere --steps 2 --out o": "nothere: no such folder",
    "pretrain table.txt --held-out nothere --tokenizer model --steps 2 --out o": "no such file or folder",
    "adapt nothere --corpus table.txt --steps 2 --out o": "no model, folder or file 'nothere'",
    "adapt mini --corpus nothere --steps 2 --out o": "no such file or folder",
    "to-static nothere --corpus table.txt --out o": "no model, folder or file 'nothere'",
    "to-static mini --corpus nothere --out o": "no such file or folder",
    "tokenizer nothere --out o": "no such file or folder",
    "embed nothere.csv --model mini --out v.npy": "no such file",
    "embed data.csv --model nothere --out v.npy": "no model, folder or file 'nothere'",
    "evaluate nosuch data.csv": "no named task 'nosuch'",
    "study words --model mini --data .": "this word benchmark is not on this machine",
    "study senses --data nothere.csv": "no such file",
    "study context --data nothere.csv": "no such file",
    "report nothere": "nothere: cannot read",
    "train-sentences nothere --model mini --out o": "nothere: there is no such file",
    "train-sentences data.csv --model nothere --out o": "no model, folder or file 'nothere'",
    "probe --data nothere --label label --model mini --out o": "nothere: there is no such file",
    "cascade nothere model --data data.csv --out o": "nothere: no such folder",
    "prune nothere --heads 0.4 --data data.csv --out o": "nothere: no such folder",
    "prune nothere --layers 1 --data nofile --out o": "nofile: there is no such file",
    "distill nothere --data data.csv --out o": "nothere: no such folder",
    "export nothere --to onnx --out o": "no model, folder or file 'nothere'",
    "study similarity --data nothere --model mini --out o": "nothere: there is no such file",
    "study neighbours the[cab] nothere --model mini --out o": "nothere: there is no such file",
    "study relations --model mini --treebank nothere --out o": "no treebank 'nothere'",
    "study syntax --model mini --treebank nothere --out o": "no treebank 'nothere'",
    "study patterns nothere --model mini --out o": "nothere: there is no such file",
    "study commonsense --data nothere --model mini --out o": "no data set 'nothere'",
    "study codes nothere --target-ontology data.csv --out o": "nothere: there is no such file",
    "study crossmodal nothere data.csv --out o": "nothere: there is no such file",
    "study entities nothere --model mini --out o": "nothere: there is no such file",
    "study entities data.csv --model nothere --out o": "no model, folder or file 'nothere'",
    "study heads nothere --data data.csv --out o": "nothere: no such folder",
    "study shrink nothere --data data.csv --out o": "no model, folder or file 'nothere'",
    "study layers --model mini --data nothere --label label --out o": "nothere: there is no such file",
    "study sentences --model mini --data nothere --out o": "nothere: there is no such file",
    "kg train nothere --out o": "nothere: there is no such file",
    "kg fuse nothere table.txt --out o": "no model, folder or file 'nothere'",
    "kg fuse mini nothere --out o": "nothere: there are no vectors of entities here",
    "symbols learn nothere --out o": "nothere: there is no such file",
    "search build nothere --model mini --out o": "nothere: there is no such file",
}


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    """Exit code, errors and imports of torch of each command, in one process, where torch cannot be imported."""
    folder = tmp_path_factory.mktemp("here")
    write_inputs(folder)
    words = [sys.executable, "-c", SAYS_WHETHER_TORCH]
    done = subprocess.run(
        words, cwd=folder, input="\n".join(EVERY_COMMAND), capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return {command: answer for command, *answer in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("command", EVERY_COMMAND)
def test_every_command_refuses_what_is_missing_before_torch_is_loaded(command, answers):
    code, errors, imports_of_torch = answers[command]
    assert (code, imports_of_torch) == (2, 0)
    assert EVERY_COMMAND[command] in errors


@pytest.mark.parametrize("command", ["doctor nothere", "fill nothere [MASK]", *STUDIES])
def test_a_model_that_is_not_there_is_refused_before_torch_is_loaded(command):
    words = [sys.executable, "-c", WITHOUT_TORCH, *command.split()]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "no model, folder or file 'nothere'" in done.stderr
