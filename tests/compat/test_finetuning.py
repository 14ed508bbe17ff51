"""Fine-tuning goes on in the folder of an earlier version, and what had ended there is only read."""

import json
from importlib.metadata import version
from pathlib import Path

import pytest
from tests.compat import commands
from tests.compat.outputs import Listener, heard


@pytest.fixture(autouse=True)
def same_torch(expected):
    """Runs are kept under the version of torch, whose numbers may differ: those of another one begin anew."""
    if version("torch") != expected["machine"]["torch"]:
        pytest.skip(f"these runs were made with torch {expected['machine']['torch']}")


def findings(folder: str | Path) -> list[tuple[str, object]]:
    """The names and numbers of a record's findings on disk; their wording may change between versions.

    Whether a model predicts in bfloat16, which `method.precision` says, depends on the machine; sentences of charts,
    `caption.*`, and why a test part is no quarter, `method.test_share`, are in records since later versions.
    """
    record = json.loads(Path(folder, "record.json").read_text(encoding="utf-8"))
    by_name = ((finding["name"], finding.get("numbers")) for finding in record["findings"])
    others = ("method.precision", "method.test_share")
    return [(name, numbers) for name, numbers in by_name if name not in others and "caption." not in name]


def test_a_study_that_ended_under_an_earlier_version_is_only_read(opened):
    opened("finished-finetuning")
    folder = Path("finished-finetuning/run")
    earlier, before = findings(folder), {path: path.stat().st_mtime_ns for path in folder.rglob("result.npz")}
    listener = Listener("fine-tuning")
    heard(commands.FINETUNE, folder, listener)
    assert listener.done == 0
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("result.npz")} == before
    assert findings(folder) == earlier


def test_a_study_stopped_under_an_earlier_version_ends_as_one_never_stopped(opened, expected, same_weights):
    opened("stopped-finetuning", "finished-finetuning")
    listener = Listener("fine-tuning")
    heard(commands.FINETUNE, "stopped-finetuning/run", listener)
    assert listener.skipped == pytest.approx(expected["done"]["stopped-finetuning"])
    assert findings("stopped-finetuning/run") == findings("finished-finetuning/run")
    same_weights("stopped-finetuning/run/model", "finished-finetuning/run/model")


def test_a_race_stopped_under_an_earlier_version_goes_on(opened, expected):
    opened("stopped-grid")
    listener = Listener("trying 3 settings")
    heard(commands.GRID, "stopped-grid/run", listener)
    assert listener.skipped == pytest.approx(expected["done"]["stopped-grid"])
    assert (Path("stopped-grid") / "run" / "model").is_dir()
