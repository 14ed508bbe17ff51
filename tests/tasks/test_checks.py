"""What is odd about the data is found, counted and said; ordinary data raises no alarm."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from wordworth.errors import BadInput
from wordworth.tasks.checks import overlap_rows, part_differences
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Task

WORDS = [
    f"{a}{b}{c}"
    for a in ("ka", "lo", "mi", "nu")
    for b in ("ra", "se", "ti", "vo")
    for c in ("n", "l", "th", "sh", "k")
]


def texts(n: int, seed: int = 0, words: list[str] = WORDS) -> list[str]:
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(words, 12)) for _ in range(n)]


def frame(n: int = 400, seed: int = 0) -> pd.DataFrame:
    return pd.DataFrame({"text": texts(n, seed), "label": np.random.default_rng(seed + 1).choice(["bad", "good"], n)})


def read(tmp_path: Path, rows: pd.DataFrame, test: pd.DataFrame | None = None, **settings: Any) -> Task:
    rows.to_csv(tmp_path / "a.csv", index=False)
    if test is not None:
        test.to_csv(tmp_path / "b.csv", index=False)
        settings["test"] = str(tmp_path / "b.csv")
    return read_task(tmp_path / "a.csv", ReadSettings(text="text", **{"label": "label", **settings}))


def found(task: Task, name: str) -> dict[str, Any]:
    """The numbers of the one warning of that name."""
    numbers = [dict(finding.numbers) for finding in task.warnings if finding.name == f"warning.{name}"]
    assert len(numbers) == 1, [finding.name for finding in task.warnings]
    return numbers[0]


def names(task: Task) -> set[str]:
    return {finding.name for finding in task.warnings if finding.name.startswith("warning.")}


def test_ordinary_data_raises_no_alarm(tmp_path: Path) -> None:
    assert names(read(tmp_path, frame())) == set()
    assert names(read(tmp_path, frame(), frame(200, seed=7))) == set()


def test_empty_texts_are_counted_and_kept(tmp_path: Path) -> None:
    rows = frame()
    rows.loc[[3, 5], "text"] = ["", "  "]
    task = read(tmp_path, rows)
    assert found(task, "empty_texts") == {"rows": 2, "first": "a.csv, line 5"}
    assert len(task.examples) == 400


def test_repeated_texts_with_other_labels_are_counted_with_what_they_cost(tmp_path: Path) -> None:
    rows = frame()
    copies = pd.DataFrame({"text": [rows.text[0].upper(), f" {rows.text[0]}"], "label": ["good", "bad"]})
    task = read(tmp_path, pd.concat([rows, copies]))
    assert found(task, "duplicates") == {"rows": 2, "of": 402}
    assert found(task, "conflicts") == {"texts": 1, "rows": 3, "lost": 1, "share_lost": 1 / 402}


def test_twins_across_the_parts_are_counted_and_can_be_left_out(tmp_path: Path) -> None:
    rows, test = frame(), frame(100, seed=5)
    test.loc[0, "text"] = rows.text[10].upper()
    test.loc[1, "text"] = rows.text[20] + "!"
    test.loc[[0, 1], "label"] = rows.label[[10, 20]].to_list()
    task = read(tmp_path, rows, test)
    assert found(task, "overlap") == {"rows": 2, "exact": 1, "near": 1, "same_label": 2, "test": 100}
    assert overlap_rows(task).tolist() == [400, 401]


def test_equal_texts_never_straddle_a_split_of_ours(tmp_path: Path) -> None:
    rows = pd.concat([frame(100), frame(100), frame(100)])
    task = read(tmp_path, rows)
    assert overlap_rows(task).tolist() == []


def test_rare_classes_are_named(tmp_path: Path) -> None:
    rows = frame()
    rows.loc[[0, 1, 2], "label"] = "odd"
    assert set(found(read(tmp_path, rows), "rare_classes")["classes"]) == {"odd"}


def test_classes_that_differ_in_case_alone_are_named(tmp_path: Path) -> None:
    rows = frame()
    rows.loc[:50, "label"] = "Good"
    assert found(read(tmp_path, rows), "similar_classes") == {"classes": [["Good", "good"]]}


def test_two_spellings_of_one_class_and_a_class_that_is_no_answer_are_named(tmp_path: Path) -> None:
    rows = frame()
    rows["label"] = ["not spam", "Not-Spam", "n/a", "spam"] * (len(rows) // 4) + ["spam"] * (len(rows) % 4)
    task = read(tmp_path, rows)
    assert found(task, "similar_classes") == {"classes": [["Not-Spam", "not spam"]]}
    assert found(task, "missing_classes") == {"classes": ["n/a"]}


def test_one_and_one_point_nought_are_told_as_perhaps_one_class(tmp_path: Path) -> None:
    rows = frame()
    rows["label"] = (["0", "1", "1.0", "0"] * len(rows))[: len(rows)]
    assert found(read(tmp_path, rows), "similar_classes") == {"classes": [["1", "1.0"]]}


def test_other_class_shares_in_the_test_part_are_told(tmp_path: Path) -> None:
    test = frame(300, seed=3)
    test["label"] = ["good"] * 270 + ["bad"] * 30
    task = read(tmp_path, frame(), test)
    share = float((frame().label == "good").mean())
    assert found(task, "class_shares")["distance"] == pytest.approx(0.9 - share)
    assert part_differences(task).furthest[0] in {"bad", "good"}  # they differ by the same


def test_shares_of_tags_are_told_of_the_words_not_of_the_sentences(tmp_path: Path) -> None:
    def sentences(n: int, names: int) -> pd.DataFrame:
        counts = [names * (row % 2) for row in range(n)]
        tags = [" ".join(["B-x"] * count + ["O"] * (20 - count)) for count in counts]
        words = [" ".join(f"w{(row + place) % 97}" for place in range(20)) for row in range(n)]
        return pd.DataFrame({"text": words, "label": tags})

    train, test = sentences(400, 4), sentences(400, 4)
    test["label"] = test["label"].where(np.arange(400) % 4 == 1, " ".join(["O"] * 20))
    test["text"] = "other " + test["text"].str.split(n=1).str[1]
    task = read(tmp_path, train, test, kind="tags")
    text = next(finding.text for finding in task.warnings if finding.name == "warning.class_shares")
    assert "other tags than the training part: 5 % of the words would have to change" in text
    assert "'B-x' holds 10 % of the words in training and 5 % in test" in text


def test_other_words_in_the_test_part_are_told(tmp_path: Path) -> None:
    test = frame(200, seed=3)
    test["text"] = texts(200, 3, [*WORDS, *(f"new{word}" for word in WORDS)])
    numbers = found(read(tmp_path, frame(), test), "vocabulary")
    assert numbers["unseen"] == pytest.approx(0.5, abs=0.05)
    assert numbers["expected"] == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize("column", ["copy", "score"])
def test_a_column_that_gives_the_label_away_is_named(tmp_path: Path, column: str) -> None:
    rows = frame()
    rows["copy"] = rows.label.map({"bad": "B", "good": "G"})
    rows["score"] = np.random.default_rng(0).random(400) + rows.label.map({"bad": 0, "good": 2})
    rows["id"] = range(400)
    rows["day"] = [n % 7 for n in range(400)]
    task = read(tmp_path, rows[["text", "label", "id", "day", column]])
    assert found(task, "leak_column") == {"column": column, "right": 1.0}


def test_a_copy_of_the_amount_in_another_column_is_a_leak(tmp_path: Path) -> None:
    rows = frame()
    rows["score"] = np.random.default_rng(0).random(400)
    rows["twice"], rows["noise"] = 2 * rows.score, np.random.default_rng(1).random(400)
    task = read(tmp_path, rows[["text", "score", "twice", "noise"]], label="score")
    assert found(task, "leak_column")["column"] == "twice"


def test_a_label_written_in_its_text_is_a_leak(tmp_path: Path) -> None:
    rows = frame()
    rows["text"] = rows.label.str.upper() + ": " + rows.text
    assert found(read(tmp_path, rows), "leak_text") == {"class": "bad", "own": 1.0, "others": 0.0}


def test_very_long_texts_are_counted(tmp_path: Path) -> None:
    rows = frame()
    rows.loc[7, "text"] = "word " * 100_000
    task = read(tmp_path, rows)
    assert found(task, "long_texts") == {"rows": 1, "longest": 500_000}
    assert task.examples.first[7] == "word " * 100_000


def test_second_texts_that_are_all_the_same_are_told(tmp_path: Path) -> None:
    rows = frame()
    rows["other"] = "same"
    assert found(read(tmp_path, rows, text_b="other"), "constant_text") == {"rows": 400}


def test_words_of_scripts_without_spaces_are_counted_one_by_one(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    signs = [chr(0x4E00 + n) for n in range(60)]
    rows = pd.DataFrame({"text": ["".join(rng.choice(signs, 12)) for _ in range(300)], "label": ["a", "b"] * 150})
    assert part_differences(read(tmp_path, rows)).unseen < 0.01


def test_a_test_file_of_texts_that_are_learned_from_is_refused(tmp_path: Path) -> None:
    rows = frame()
    with pytest.raises(BadInput, match=r"all of its 400 texts are in the training part too"):
        read(tmp_path, rows, rows)
    some = pd.concat([rows.iloc[:200], frame(9, seed=7)])
    with pytest.raises(BadInput, match=r"all but 9 of its 209 texts .* give --test a file with other texts"):
        read(tmp_path, rows, some)
    half = pd.concat([rows.iloc[:200], frame(200, seed=7)])
    assert found(read(tmp_path, rows, half), "overlap")["exact"] == 200


def test_a_test_part_of_near_copies_is_told_to_be_memory(tmp_path: Path) -> None:
    rows = frame()
    near = rows.assign(text=rows.text + " see")
    (told,) = [one.text for one in read(tmp_path, rows, near).warnings if one.name == "warning.overlap"]
    assert told.startswith("Scores here may be memory. 400 of 400 test texts")


def test_a_word_that_only_the_texts_of_a_class_hold_is_a_leak(tmp_path: Path) -> None:
    rows = frame()
    rows["text"] = rows.text + rows.label.map({"bad": " xzero", "good": " xone"})
    told = found(read(tmp_path, rows), "leak_text")
    assert (told["class"], told["word"], told["own"], told["others"]) == ("bad", "xzero", 1.0, 0.0)
    rows["text"] = [text.rsplit(" ", 1)[0] if n % 5 == 0 else text for n, text in enumerate(rows.text)]
    assert "warning.leak_text" not in names(read(tmp_path, rows))  # four texts in five hold it
