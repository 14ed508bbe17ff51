"""How a study compares with its plan: every entry that differs is named, an edited file is told."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.studies.worth.preregistration.test_preregistration_file import CONTENTS

from wordworth.studies.worth.preregistration.adherence import Adherence
from wordworth.studies.worth.preregistration.preregistration_file import Preregistration

PLAN = Preregistration.of(CONTENTS)


def changed(section, **values):
    return {**CONTENTS, section: {**CONTENTS[section], **values}}


def test_the_same_contents_are_kept_to():
    adherence = Adherence.of(PLAN, CONTENTS)
    finding = adherence.finding()
    assert adherence.columns() == {
        "sha256": PLAN.stated,
        "frozen_at": PLAN.frozen_at,
        "kept": True,
        "differences": [],
    }
    assert finding.name == "method.preregistration"
    assert finding.text == (
        f"This study kept to the plan that was frozen on {PLAN.frozen_at[:10]} (SHA-256 {PLAN.stated[:12]}…)."
    )


@pytest.mark.parametrize(
    ("actual", "told"),
    [
        (changed("settings", margin=2.0), "margin 1 → 2"),
        (changed("split", test="a file"), "split test 5 folds → a file"),
        (changed("split", group="author"), "split group none → author"),
        (changed("rule", look=2), "rule look 1 → 2"),
        (changed("rungs", minilm="ab" * 32), "rung minilm none → abababababab…"),
        ({**CONTENTS, "rungs": {}}, "rung tfidf on the ladder → none"),
        (changed("rows", used=80), "rows used 40 → 80"),
        (changed("rows", classes=["rot"]), "rows classes grün, rot → rot"),
        ({**CONTENTS, "wordworth": "1.1"}, "wordworth 1.0 → 1.1"),
    ],
)
def test_an_entry_that_differs_is_named_with_both_values(actual, told):
    adherence = Adherence.of(PLAN, actual)
    finding = adherence.finding()
    assert finding.name == "warning.preregistration"
    assert finding.text.endswith(f"Planned and done differ in: {told}.")
    assert finding.numbers["kept"] is False
    assert len(finding.numbers["differences"]) == 1


def test_whole_numbers_and_floats_of_one_value_do_not_differ():
    assert Adherence.of(PLAN, changed("settings", margin=1)).differences == ()


def test_an_edited_plan_is_not_kept_to_even_where_the_study_agrees_with_it():
    edited = replace(PLAN, fields={**PLAN.fields, "settings": {"margin": 2.0}})
    adherence = Adherence.of(edited, changed("settings", margin=2.0))
    assert adherence.columns()["kept"] is False
    assert adherence.sha256 != PLAN.stated
    assert "which was edited, " + PLAN.stated[:12] in adherence.finding().text


def test_a_value_of_any_size_in_an_edited_plan_is_told_in_a_few_words():
    edited = replace(PLAN, fields={**PLAN.fields, "settings": {"margin": 10**400, "seed": ["x" * 900]}})
    values = [difference.planned for difference in Adherence.of(edited, CONTENTS).differences]
    assert max(map(len, values)) == 80
