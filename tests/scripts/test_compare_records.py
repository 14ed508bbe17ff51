"""Two folders of records are compared key by key, and every command has its record there."""

import json
from pathlib import Path

import pytest
from scripts.compare_records import IGNORED, main

from wordworth.cli.app import COMMANDS


@pytest.fixture
def compared(tmp_path, capsys):
    """A function that writes two values as records, compares them, and gives exit code and lines."""

    def run(before, after, *words):
        for name, value in (("before", before), ("after", after)):
            (tmp_path / name).mkdir(exist_ok=True)
            (tmp_path / name / "one.json").write_text(json.dumps(value))
        code = main([str(tmp_path / "before"), str(tmp_path / "after"), *map(str, words)])
        return code, capsys.readouterr().out.splitlines()

    return run


def test_equal_records_do_not_differ(compared):
    assert compared({"a": [1, 2.5, None, "x"]}, {"a": [1, 2.5, None, "x"]}) == (0, ["0 differences"])


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ({"a": [1, 2.5]}, {"a": [1, 2.5000001]}, "one.json > a > 1: 2.5 -> 2.5000001"),
        ({"a": [1, 2]}, {"a": [1]}, "one.json > a: [1, 2] -> [1]"),
        ({"a": [{"name": "b"}]}, {"a": [{"name": "c"}, {"name": "b"}]}, 'one.json > a > c: "nothing" -> {"name": "c"}'),
        ({"a": 1}, {"a": 1.0}, "one.json > a: 1 -> 1.0"),
        ({"a": 1}, {"b": 1}, 'one.json > a: 1 -> "nothing"'),
        ({"a": {"b": None}}, {"a": {"b": False}}, "one.json > a > b: null -> false"),
    ],
)
def test_every_difference_is_a_line_and_the_exit_code_is_1(compared, before, after, said):
    code, lines = compared(before, after)
    assert code == 1
    assert lines[0] == said


def test_what_the_clock_decides_is_not_compared(compared):
    before, after = (dict.fromkeys(IGNORED, place) for place in (1, 2))
    assert compared({"a": before}, {"a": after})[0] == 0


def test_a_key_that_was_renamed_is_the_same_key_under_an_alias(compared, tmp_path):
    aliases = tmp_path / "aliases.json"
    aliases.write_text('{"kind": "task"}')
    before, after = {"a": {"kind": "kind"}}, {"a": {"task": "kind"}}
    assert compared(before, after)[0] == 1
    assert compared(before, after, "--aliases", aliases)[0] == 0
    assert compared(before, {"a": {"task": "task"}}, "--aliases", aliases, "--values")[0] == 0


def test_a_tolerance_is_for_floats_alone(compared):
    assert compared({"a": 1.0}, {"a": 1.0000001}, "--tolerance", "1e-6")[0] == 0
    assert compared({"a": 1000000}, {"a": 1000001}, "--tolerance", "1e-5")[0] == 1


def test_a_record_that_is_missing_is_a_difference(compared, tmp_path):
    compared({}, {})
    (tmp_path / "before" / "two.json").write_text("{}")
    code, lines = compared({}, {})
    assert (code, lines[0]) == (1, 'two.json: {} -> "nothing"')


def test_every_command_has_its_record(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).resolve().parents[2] / "scripts")
    from scripts import make_records

    recorded = {line.partition(" ")[0] for line in make_records.COMMANDS.values()}
    assert recorded | {"serve"} == COMMANDS.keys()  # which does not end, and writes nothing
