"""Multiple choice: SWAG, HellaSwag, CODAH, DREAM, COPA and XCOPA from their own files; pronouns of DPR, WSC and PDP."""

import pytest
from tests.tasks.datasets.data_folder import DATA, needs

from wordworth.tasks.datasets import named_task


def test_the_real_sets_have_their_published_sizes() -> None:
    needs("codah")
    codah, dream = named_task("codah", folder=DATA), named_task("dream", folder=DATA)
    assert (len(codah.train), len(codah.test)) == (2220, 556)  # 2,776 in all
    assert (len(dream.train), len(dream.test)) == (6116, 2040)
    assert {len(options) for options in dream.examples.options or ()} == {3}


def test_causes_and_effects_are_those_of_copa_and_its_translations(monkeypatch: pytest.MonkeyPatch) -> None:
    needs("stories/copa_en")
    monkeypatch.setenv("WORDWORTH_DATA", str(DATA))
    copa, xcopa, hellaswag = named_task("copa"), named_task("xcopa", held_out="test"), named_task("hellaswag")
    assert (len(copa.train), len(copa.test)) == (800, 200)
    assert (len(xcopa.train), len(xcopa.test)) == (800, 5500)
    assert (len(hellaswag.train), len(hellaswag.test)) == (8000, 2042)


def test_pronouns_learn_from_dpr_and_are_measured_on_each_set(monkeypatch: pytest.MonkeyPatch) -> None:
    needs("senses/winograd")
    monkeypatch.setenv("WORDWORTH_DATA", str(DATA))
    sets = {name: named_task(name) for name in ("dpr", "wsc273", "pdp60")}
    assert {name: len(task.test) for name, task in sets.items()} == {"dpr": 550, "wsc273": 273, "pdp60": 60}
    assert {len(task.train) for task in sets.values()} == {1279}
    first = sets["dpr"].examples
    assert (first.first[0], (first.second or ())[0]) == ("The bee landed on the flower because ", " had pollen.")
    assert {len(options) for options in first.options or ()} == {2}
