"""Where we part a file ourselves, what hangs together stays together: a test part is of things that are new."""

from pathlib import Path

import numpy as np
import pytest

from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Task


def sentences(documents: int) -> str:
    """Nine sentences a document, some of which stand in all of them."""
    words = [["-DOCSTART- O", *(f"w{number % 8 * (number > 3) or place} O\nParis B-LOC\n" for number in range(9))]
             for place in range(documents)]  # fmt: skip
    return "".join("\n".join([one[0], "", *one[1:], ""]) for one in words)


def pairs(firsts: int, size: int = 240) -> str:
    rows = (f"first number {row % firsts},other text {row},{'yes' if row % 3 else 'no'}\n" for row in range(size))
    return "text_a,text_b,label\n" + "".join(rows)


def told(task: Task, name: str) -> str:
    return next((one.text for one in task.warnings if one.name == name), "")


@pytest.mark.parametrize("documents", [24, 60])
def test_a_document_s_sentences_stay_in_one_part(tmp_path: Path, documents: int) -> None:
    (tmp_path / "a.conll").write_text(sentences(documents))
    task = read_task(tmp_path / "a.conll")
    of = np.array(task.examples.documents)
    assert not np.intersect1d(of[task.train], of[task.test]).size
    assert "no document in both parts" in told(task, "method.split")
    assert "warning.shared_documents" not in {one.name for one in task.warnings}


def test_of_few_documents_sentences_are_drawn_and_that_is_warned_of(tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_text(sentences(12))
    task = read_task(tmp_path / "a.conll")
    assert "no text in both parts" in told(task, "method.split")
    assert told(task, "warning.shared_documents").startswith("The documents are too few to hold some out")


def test_pairs_of_one_first_text_stay_in_one_part(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(pairs(40))
    task = read_task(tmp_path / "a.csv")
    of = np.array(task.examples.first)
    assert not np.intersect1d(of[task.train], of[task.test]).size
    assert "no first text in both parts" in told(task, "method.split")


def test_of_few_first_texts_pairs_are_drawn_and_that_is_warned_of(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(pairs(5))
    task = read_task(tmp_path / "a.csv")
    assert "no pair of texts in both parts" in told(task, "method.split")
    assert told(task, "warning.shared_first_texts").startswith("The first texts are too few to hold some out")


def test_a_test_file_of_pairs_whose_first_texts_are_learned_from_is_warned_of(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(pairs(40))
    (tmp_path / "b.csv").write_text(pairs(80, 80).replace("other", "new"))
    (tmp_path / "c.csv").write_text(pairs(80, 80).replace("first", "late"))
    known, new = (read_task(tmp_path / "a.csv", ReadSettings(test=tmp_path / name)) for name in ("b.csv", "c.csv"))
    assert told(known, "warning.shared_first_texts").startswith("40 of 80 test pairs have a first text")
    assert not told(new, "warning.shared_first_texts")
