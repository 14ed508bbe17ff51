"""Classes of the test part that nothing is learned of."""

from pathlib import Path

import pytest
from tests.tasks.reading.rows import reviews, task_of, write

from wordworth.errors import BadInput


def test_rare_test_rows_of_a_class_never_learned_are_left_out_and_counted(tmp_path: Path) -> None:
    rows = [{"text": f"april {n}", "label": ("bad", "good")[n % 2]} for n in range(39)] + [
        {"text": "x", "label": "ugly"}
    ]
    task = task_of(tmp_path, reviews(), test=str(write(tmp_path / "april.jsonl", rows)))
    assert (len(task.test), task.classes) == (39, ("bad", "good"))
    finding = next(finding for finding in task.warnings if finding.name == "warning.unseen_classes")
    assert finding.numbers == {"rows": 1, "test": 40, "classes": ["ugly"]}
    assert task.labels.min() == 0


def test_a_later_month_with_many_rows_of_a_new_class_can_be_tested_on_without_them(tmp_path: Path) -> None:
    later = write(tmp_path / "later.jsonl", [{"text": f"later {n}", "label": ["bad", "new"][n % 2]} for n in range(60)])
    task = task_of(tmp_path, reviews(), test=str(later), skip_unusable=True)
    assert len(task.test) == 30
    assert task.classes == ("bad", "good")
    said = next(finding for finding in task.warnings if finding.name == "warning.unseen_classes")
    assert said.numbers["rows"] == 30


def test_many_rows_of_a_new_class_are_refused_with_advice_that_every_command_can_follow(tmp_path: Path) -> None:
    later = write(tmp_path / "later.jsonl", [{"text": f"later {n}", "label": ["bad", "new"][n % 2]} for n in range(60)])
    with pytest.raises(BadInput, match=r"30 of 60 test rows .*remove such rows .worth and finetune skip them"):
        task_of(tmp_path, reviews(), test=str(later))
