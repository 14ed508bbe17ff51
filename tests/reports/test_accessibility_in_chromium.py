"""Pages of every kind are held to the rules of axe-core, which sees what a screen reader or weak eyes would miss.

axe-core comes with the package axe-core-python. Each page is opened wide in the light theme and narrow in the dark one,
with every fold open, because axe skips what is hidden.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from chromium import Tab, installed
from example_record import example
from tests.inference.tuned_model import write_rows, write_tuned
from tests.studies.corpus_map.topics import index_of
from tests.studies.corpus_map.topics import rows as topic_rows

import wordworth as ww
from attention_page import a_model, opened, settle
from wordworth.records import Record, read
from wordworth.reports import render
from wordworth.testing.sample_tasks import sample_task

pytestmark = [
    pytest.mark.slow,
    pytest.mark.peers,
    pytest.mark.skipif(installed() is None, reason="Chromium is not installed"),
    pytest.mark.skipif(find_spec("axe_core_python") is None, reason="axe-core-python is not installed"),
]
FOLDER = Path(__file__).resolve().parents[2] / "docs" / "records"
SERIOUS = """(async () => {
  document.querySelectorAll('details').forEach(fold => { fold.open = true });
  const { violations } = await axe.run(document);
  return violations.filter(rule => ['serious', 'critical'].includes(rule.impact)).map(rule =>
    `${rule.id}: ${rule.help}: ` + rule.nodes.slice(0, 3).map(node => node.html.slice(0, 200)).join(' | '));
})()"""


def one_record_a_kind() -> dict[str, Path]:
    """The first kept record of each kind, by the kind's name."""
    records: dict[str, Path] = {}
    for path in sorted(FOLDER.glob("*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        if "kind" in record:
            records.setdefault(record["kind"], path)
    return records


def axe() -> str:
    spec = find_spec("axe_core_python")
    assert spec is not None
    assert spec.origin is not None
    return (Path(spec.origin).parent / "axe.min.js").read_text(encoding="utf-8")


def serious_faults(tab: Tab) -> list[str]:
    """What axe calls serious or critical on the open page, a line a rule."""
    tab.value(f"{axe()}; true")
    answer: dict[str, Any] = tab.send("Runtime.evaluate", expression=SERIOUS, awaitPromise=True, returnByValue=True)
    assert "exceptionDetails" not in answer, answer
    faults: list[str] = answer["result"]["value"]
    return faults


def similarity(_: Path) -> Record:
    pairs = [{"text_a": f"the {n} cat sat", "text_b": f"a cat {n} was on the mat"} for n in range(12)]
    return ww.study_similarity(data=pairs, draws=200, examples=2)


def pruned(folder: Path) -> Record:
    run, rows = write_tuned(folder / "run"), write_rows(folder / "dev.csv", sample_task("single"))
    return ww.prune(run, folder / "small", heads=0.5, data=rows, limit=60)


def corpus_map(folder: Path) -> Record:
    return ww.map_index(index_of(folder / "map", topic_rows(60)), colour="topic")


RECORDS: dict[str, Callable[[Path], Record]] = {
    "worth": lambda _: example(),
    "similarity": similarity,
    "prune": pruned,
    "corpus_map": corpus_map,
    **{kind: partial(lambda path, _: read(path), path) for kind, path in one_record_a_kind().items()},
}
"""What makes a record of each kind, in an empty folder."""


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (390, "dark")])
@pytest.mark.parametrize("kind", RECORDS)
def test_axe_finds_nothing_serious(tab: Tab, tmp_path: Path, kind: str, width: int, theme: str) -> None:
    path = tmp_path / "report.html"
    path.write_text(render(RECORDS[kind](tmp_path)), encoding="utf-8")
    tab.open(path, width=width, theme=theme)
    assert serious_faults(tab) == []


@pytest.mark.parametrize("view", ["lines", "grid", "vectors"])
def test_axe_finds_nothing_serious_in_a_view_of_attention(tab: Tab, tmp_path: Path, view: str) -> None:
    opened(tab, tmp_path, a_model(), a_model(1, "after"))
    tab.value(f"document.querySelector('input[value={view}]').click()")
    settle(tab)
    assert serious_faults(tab) == []


def test_axe_sees_a_fault_that_is_there(tab: Tab, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_text("<!doctype html><html lang=en><title>t</title><main><img src='data:,'></main>", encoding="utf-8")
    tab.open(path)
    assert any(fault.startswith("image-alt") for fault in serious_faults(tab))
