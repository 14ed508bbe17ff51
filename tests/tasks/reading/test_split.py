"""Where we part a file ourselves, what hangs together stays together: a test part is of things that are new."""

from pathlib import Path

import numpy as np
import pytest
from tests.tasks.reading.rows import reviews, task_of, write

from wordworth.errors import BadInput
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


@pytest.mark.parametrize(("folds", "apart"), [(0, "both parts"), (5, "two")])
def test_of_few_first_texts_pairs_are_drawn_and_that_is_warned_of(tmp_path: Path, folds: int, apart: str) -> None:
    (tmp_path / "a.csv").write_text(pairs(5))
    task = read_task(tmp_path / "a.csv", ReadSettings(folds=folds))
    assert f"no pair of texts in {apart}" in told(task, "method.split")
    assert told(task, "warning.shared_first_texts").startswith("The first texts are too few to hold some out")


def test_a_test_file_of_pairs_whose_first_texts_are_learned_from_is_warned_of(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(pairs(40))
    (tmp_path / "b.csv").write_text(pairs(80, 80).replace("other", "new"))
    (tmp_path / "c.csv").write_text(pairs(80, 80).replace("first", "late"))
    known, new = (read_task(tmp_path / "a.csv", ReadSettings(test=tmp_path / name)) for name in ("b.csv", "c.csv"))
    assert told(known, "warning.shared_first_texts").startswith("40 of 80 test pairs have a first text")
    assert not told(new, "warning.shared_first_texts")


def test_the_same_seed_gives_the_same_split_and_another_seed_another(tmp_path: Path) -> None:
    first, again, other = (task_of(tmp_path, reviews(), seed=seed) for seed in (0, 0, 1))
    assert first.test.tolist() == again.test.tolist() != other.test.tolist()


def test_a_test_file_is_tested_on_whole(tmp_path: Path) -> None:
    april = write(
        tmp_path / "april.jsonl", [{"text": f"april {n}", "label": ("bad", "good")[n % 2]} for n in range(30)]
    )
    task = task_of(tmp_path, reviews(), test=str(april))
    assert (len(task.train), len(task.test)) == (60, 30)
    assert {task.examples.first[row][:5] for row in task.test} == {"april"}
    assert [origin.rows for origin in task.origins] == [60, 30]


@pytest.mark.parametrize(("rows", "tested"), [(400, 160), (600, 200), (1000, 250)])
def test_a_test_part_of_another_share_than_a_quarter_says_why(tmp_path: Path, rows: int, tested: int) -> None:
    lines = [f"text number {row},{'yes' if row % 3 else 'no'}" for row in range(rows)]
    (tmp_path / "a.csv").write_text("\n".join(["text,label", *lines]))
    task = read_task(tmp_path / "a.csv")
    assert len(task.test) == tested
    said = told(task, "method.test_share")
    assert said.startswith(f"{tested} of {rows} rows are tested on, and not {rows // 4}: ") if rows < 1000 else not said


def test_a_share_to_test_on_is_taken_as_it_is(tmp_path: Path) -> None:
    assert len(task_of(tmp_path, reviews(200), test="0.1").test) == 20
    assert len(task_of(tmp_path, reviews(), test=0.5).test) == 30
    for nearly in ("0.2x", "20%", "0,2"):
        with pytest.raises(BadInput, match="not a share of the rows"):
            task_of(tmp_path, reviews(), test=nearly)


def april(tmp_path: Path, count: int) -> str:
    rows = [{"text": f"april {n}", "label": ("bad", "good")[n % 2]} for n in range(count)]
    return str(write(tmp_path / "april.jsonl", rows))


def test_a_class_with_one_example_stays_in_training_and_is_told(tmp_path: Path) -> None:
    task = task_of(tmp_path, [*reviews(), {"text": "lonely", "label": "rare"}])
    assert 60 in task.train
    finding = next(finding for finding in task.warnings if finding.name == "warning.rare_classes")
    assert finding.numbers == {"classes": {"rare": 1}}


def in_folds(path: Path) -> Task:
    return read_task(path, ReadSettings(folds=5))


def test_with_folds_every_row_is_learned_from_and_tested_on(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", reviews(200))
    task = in_folds(tmp_path / "a.jsonl")
    assert list(task.train) == list(task.test) == list(range(len(task.examples)))
    assert sorted(np.concatenate(task.folds)) == list(task.test)
    assert "in 5 folds" in told(task, "method.split")
    for train, test in task.splits:
        assert sorted([*train, *test]) == list(task.test)


def test_a_document_s_sentences_stay_in_one_fold(tmp_path: Path) -> None:
    (tmp_path / "a.conll").write_text(sentences(120))
    task = in_folds(tmp_path / "a.conll")
    of = np.array(task.examples.documents)
    assert not any(np.intersect1d(of[train], of[test]).size for train, test in task.splits)
    assert "no document in two" in told(task, "method.split")


@pytest.mark.parametrize(("texts", "count"), [(4, 5), (24, 25)])
def test_more_folds_than_texts_are_refused(tmp_path: Path, texts: int, count: int) -> None:
    rows = [{"text": f"text {number % texts}", "label": "yes" if number % 2 else "no"} for number in range(24)]
    write(tmp_path / "a.jsonl", rows)
    what = f"24 rows with {texts} different texts of column 'text' are too few for {count} folds"
    with pytest.raises(BadInput, match=rf"{what}; give fewer `seeds`, name a test part with `test`, or name"):
        read_task(tmp_path / "a.jsonl", ReadSettings(folds=count))


def test_a_fold_whose_other_rows_have_one_label_is_refused(tmp_path: Path) -> None:
    rows = [{"text": "same", "label": "no"}] * 10 + [{"text": f"text {number}", "label": "yes"} for number in range(20)]
    write(tmp_path / "a.jsonl", rows)
    what = "only 10 of 30 rows used have another label than the rest, all in one fold: .*; add rows of a second class$"
    with pytest.raises(BadInput, match=what):
        in_folds(tmp_path / "a.jsonl")


def test_a_limit_that_leaves_one_row_of_a_class_is_named_as_what_to_raise(tmp_path: Path) -> None:
    rows = [{"text": f"text {number}", "label": "no" if number < 3 else "yes"} for number in range(150)]
    write(tmp_path / "a.jsonl", rows)
    what = "only 1 of 50 rows used has another label than the rest, .* second class, or use more rows with `limit`"
    with pytest.raises(BadInput, match=what):
        read_task(tmp_path / "a.jsonl", ReadSettings(folds=5, limit=50))


def test_a_test_file_or_a_share_is_kept_whatever_the_folds(tmp_path: Path) -> None:
    write(tmp_path / "a.jsonl", reviews(200))
    task = read_task(tmp_path / "a.jsonl", ReadSettings(folds=5, test=0.2))
    assert not task.folds
    assert len(task.test) == 40
