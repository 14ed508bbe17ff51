"""A named pipe that nobody writes to, or a device without end, where a file should be: refused before it is opened."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.cli.terminal import reviews, wordworth
from tests.models.tiny import write_tiny

from parts.context_published import read_layer_means, read_statistics
from wordworth.errors import BadInput
from wordworth.inference.prediction_inputs import input_rows
from wordworth.studies.commonsense.minimal_pair_sets import archived_tables

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here"),
    pytest.mark.timeout(60),  # a pipe that is opened holds its reader for ever
]

COMMANDS = (
    "worth pipe.csv --out out",
    "worth a.csv --test pipe.csv --out out",
    "worth a.csv --vectors pipe.npy --out out",
    "worth a.csv --model pipe --out out",
    "embed pipe.csv --model glove --out v.npy",
    "embed lines.txt --model pipe --out v.npy",
    "tokenizer pipe.txt --out out",
    "pretrain pipe.txt --tokenizer model --steps 2 --out out",
    "pretrain lines.txt --tokenizer pipe --steps 2 --out out",
    "pretrain lines.txt --tokenizer model --held-out pipe.txt --steps 2 --out out",
    "pretrain lines.txt --tokenizer model --lexicon pipe.txt --steps 2 --out out",
    "adapt model --corpus pipe.txt --steps 2 --out out",
    "adapt pipe --corpus lines.txt --steps 2 --out out",
    "finetune --data pipe.csv --model model --out out",
    "finetune --data a.csv --test pipe.csv --model model --out out",
    "finetune --data a.csv --model pipe --out out",
    "predict pipe lines.txt --out out.jsonl",
    "study commonsense --data pipe.csv --model mini --out out",
    "study context --data pipe.txt --model model --out out",
    "study senses --data pipe.csv --model model --out out",
    "to-static model --corpus pipe.txt --out out",
    "to-static pipe --method pieces --out out",
    "fill pipe [MASK]",
    "doctor pipe",
    "page pipe.json --out out.html",
    "search build pipe.csv --model glove --out out",
    "search build lines.txt --model glove --vectors pipe.npy --out out",
    "search build lines.txt --model glove --vectors pipe.parquet --out out",
    "kg train pipe.csv --out out",
    "symbols learn pipe.npy --out out",
    "probe --data pipe.csv --label label --model model --out out",
    "train-sentences pipe.csv --model model --out out",
    "worth a.csv --costs pipe.csv --out out",
    "phrases pipe.txt --tokenizer model --out out",
    "finetune --data a.csv --dev pipe.csv --model model --out out",
    "train-sentences a.csv --loss mse --teacher pipe --model model --out out",
    "cascade pipe model --data a.csv --out out",
    "prune pipe --heads 0.4 --data a.csv --out out",
    "prune model --layers 1 --data pipe.csv --out out",
    "distill pipe --data a.csv --out out",
    "export pipe --to onnx --out out",
    "evaluate cola pipe.csv",
    "evaluate a.csv pipe.csv",
    "study similarity --data pipe.csv --model model --out out",
    "study attention --arrays pipe.npy --out out",
    "study neighbours the[cab] pipe.txt --model model --out out",
    "study relations --treebank pipe.txt --model model --out out",
    "study syntax --treebank pipe.txt --model model --out out",
    "study patterns pipe.txt --model model --out out",
    "study heads pipe --data a.csv --out out",
    "study finetuning pipe --data a.csv --out out",
    "study codes pipe.csv --target-ontology a.csv --out out",
    "study crossmodal pipe.npy a.csv --out out",
    "study entities pipe.csv --model model --out out",
    "study shrink pipe --data a.csv --out out",
    "study shrink model --data pipe.csv --out out",
    "study layers --data pipe.csv --label label --model model --out out",
    "study languages --data pipe.csv --language text --out out",
    "study sentences --data pipe.csv --model model --out out",
    "study words --model pipe.txt --out out",
    "kg fuse pipe model --out out",
    "kg link pipe.csv a.csv --out out.csv",
    "kg link a.csv pipe.csv --out out.csv",
)
INSIDE = ("config.json", "tokenizer.json", "tokenizer_config.json", "1_Pooling/config.json")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    reviews(Path("a.csv"))
    Path("lines.txt").write_text("one text\nand another\n")
    write_tiny(Path("model"))
    for suffix in ("", ".csv", ".txt", ".npy", ".parquet", ".json"):
        os.mkfifo(f"pipe{suffix}")


def is_refused(command: str, name: str) -> None:
    done = wordworth(*command.split())
    assert done.code == 2
    assert done.err.splitlines()[-1].startswith(f"wordworth: {name}")
    assert "regular file" in done.err or "not a folder" in done.err
    assert not list(Path().glob("out*"))


@pytest.mark.parametrize("command", COMMANDS)
def test_a_named_pipe_is_no_file_for_any_command(command):
    is_refused(command, "pipe")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device here")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_device_without_end_is_no_file_for_any_command(command):
    for pipe in Path().glob("pipe*"):
        pipe.unlink()
        pipe.symlink_to("/dev/zero")
    is_refused(command, "pipe")


@pytest.mark.parametrize("name", INSIDE)
def test_a_named_pipe_inside_a_model_is_named(name):
    path = Path("model", name)
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    is_refused("doctor model" if name == "config.json" else "embed lines.txt --model model --out out.npy", str(path))


def test_a_named_pipe_in_place_of_the_facts_of_a_fine_tuned_model_is_named():
    Path("run/model").mkdir(parents=True)
    os.mkfifo("run/model/wordworth.json")
    is_refused("predict run lines.txt --out out.jsonl", "run/model/wordworth.json")


@pytest.mark.parametrize(
    "read",
    [read_statistics, read_layer_means, lambda path: list(archived_tables(path)), lambda path: list(input_rows(path))],
)
def test_readers_below_the_command_line_refuse_it_too(read):
    with pytest.raises(BadInput, match="not a regular file"):
        read(Path("pipe.json"))


def test_a_file_that_a_link_leads_to_is_a_file(tmp_path):
    Path("r.json").write_text(json.dumps({"a": 1}))
    Path("link.json").symlink_to(tmp_path / "r.json")
    assert "not a Wordworth record" in wordworth("report", "link.json", "--out", "out.html").err
