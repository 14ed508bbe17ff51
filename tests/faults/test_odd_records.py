"""`wordworth report` on records that are whole JSON and yet damaged: each is one clear line, whatever stands where."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner
from tests.reports import context_record, example_record, senses_record

from wordworth.cli.app import app
from wordworth.errors import BadInput
from wordworth.reports import render_file

ODD = (None, "x", -1, True, [], {}, [1], 10**400, 1e300, 10**9, float("inf"))
KEPT = Path(__file__).resolve().parents[2] / "docs" / "records"
DRAWN = 60
"""Changed records of each kind that are tried."""
MENDS = ("run the study again", "give the record.json of a study", "pip install -U wordworth")
RECORDS = {
    "worth": lambda: example_record.example().to_json(),
    "context": lambda: context_record.example(tagged=True).to_json(),
    "senses": lambda: senses_record.example().to_json(),
    "finetune": (KEPT / "squad1_minilm.json").read_text,
    "words": (KEPT / "static_words.json").read_text,
    "domain": (KEPT / "domain_mini.json").read_text,
}


def nodes(value, path=()):
    """The paths to everything in a JSON value; of a list, to its first and last."""
    if path:
        yield path
    keys = value if isinstance(value, dict) else {0, len(value) - 1} if isinstance(value, list) and value else ()
    for key in keys:
        yield from nodes(value[key], (*path, key))


def mutated(value, path, new):
    """The value with another one at a path; `nodes` is what takes its place away."""
    changed = copy.deepcopy(value)
    parent = changed
    for key in path[:-1]:
        parent = parent[key]
    if new is nodes:
        del parent[path[-1]]
    else:
        parent[path[-1]] = new
    return changed


def page(file):
    """What `wordworth report` says of a file: the text of its error, or nothing."""
    result = CliRunner().invoke(app, ["report", str(file)])
    if result.exception is not None and not isinstance(result.exception, BadInput):
        raise result.exception
    return str(result.exception or "")


@pytest.mark.slow
@pytest.mark.parametrize("kind", RECORDS)
def test_whatever_is_changed_in_a_record_is_drawn_or_one_clear_line(tmp_path, kind):
    record = json.loads(RECORDS[kind]())
    assert record["kind"] == kind
    paths = list(nodes(record))
    rng = random.Random(0)
    refused = 0
    for _ in range(DRAWN):
        (tmp_path / "record.json").write_text(json.dumps(mutated(record, rng.choice(paths), rng.choice((*ODD, nodes)))))
        said = page(tmp_path / "record.json")
        assert "\n" not in said
        mended = any(said.count(mend) for mend in MENDS)
        assert not said or (said.startswith(str(tmp_path / "record.json")) and mended)
        refused += bool(said)
    assert refused > DRAWN / 5


@pytest.mark.parametrize(
    ("path", "new", "says"),
    [
        (("kind",), [], r"the record: 'kind' is \[\]"),
        (("environment",), None, "the record: 'environment' is None"),
        (("tables", "scores"), [1], r"table 'scores' is \[1\]"),
        (("tables", "scores", "columns", "metric"), 3, "column 'metric' of table 'scores' is 3"),
        (("tables", "scores", "columns", "mean"), [], "columns of table 'scores' are .*unequal length: .*'mean' has 0"),
        (("findings", 0, "name"), None, "finding 1: 'name' is None"),
        (("findings", 0), {}, "finding 1: no field 'name'"),
        (("settings", "rate"), 10**400, r"infinite or too large \(an integer of 1,329 bits\)"),
        (("settings", "rate"), float("inf"), r"infinite or too large \(inf\)"),
    ],
)  # fmt: skip
def test_a_damaged_record_names_the_part_that_is(tmp_path, path, new, says):
    record = json.loads(RECORDS["finetune"]())
    (tmp_path / "record.json").write_text(json.dumps(mutated(record, path, new)))
    with pytest.raises(BadInput, match=rf"record\.json: this record is damaged: .*{says}.*; run the study again"):
        render_file(tmp_path / "record.json")


def test_a_record_nested_without_end_is_refused(tmp_path):
    for text in ("[" * 200_000, '{"version": 1, "kind": ' + "[" * 200_000 + "]" * 200_000 + "}"):
        (tmp_path / "record.json").write_text(text)
        assert "not a whole JSON file: arrays or objects are nested" in page(tmp_path / "record.json")


@pytest.mark.parametrize("layers", [10**9, 1e300, -1, "x", None])
def test_layers_past_any_model_are_not_counted_one_by_one(tmp_path, layers):
    record = json.loads(RECORDS["senses"]())
    (tmp_path / "record.json").write_text(
        json.dumps(mutated(record, ("tables", "models", "columns", "layers", 0), layers))
    )
    assert "a model of this record has" in page(tmp_path / "record.json")
