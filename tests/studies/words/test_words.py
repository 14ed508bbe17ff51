"""The study `words` on sets small enough to be seen through."""

import json

import numpy as np
import pytest
from tests.cli.terminal import wordworth
from tests.tasks.named.data_folder import write

from wordworth.errors import BadInput
from wordworth.studies.words import words

WORDS = {"king": (1, 0, 1), "queen": (1, 1, 1), "man": (0.2, 0, 1), "woman": (0.2, 1, 1), "cat": (0, 0, -1)}
FILES = {
    "sim/EN-RG-65.txt": "king\tqueen\t9\nman\tWoman\t8\nking\tcat\t1\ncat\tdragon\t9.5\n",
    "sim/EN-MC-30.txt": "king\tqueen\t9\nman\tcat\t2\nwoman\tcat\t1\n",
    "analogy/questions-words.txt": ": family\nman king woman queen\nman king dragon queen\nman king woman dragon\n",
    "categories/essli-2008.tsv": "category\tword\nrich\tking\nrich\tqueen\npoor\tman\npoor\tcat\npoor\tdragon\n",
    "relation/semeval2012_task2_ratings.tsv": (
        "category\tsplit\tword1\tword2\trating\tn_shown\n1a\ttesting\tking\tman\t40\t9\n1a\ttesting\tman\tking\t-3\t9\n"
        "1a\ttesting\tdragon\tcat\t7\t9\n1b\ttraining\tcat\tman\t1\t9\n"
    ),
    "relation/semeval2012_task2_paradigms.tsv": "category\tword1\tword2\tname\n1a\tqueen\twoman\tRANK\n",
}


def table(path, vectors=WORDS):
    path.write_text("".join(f"{word} {' '.join(map(str, row))}\n" for word, row in vectors.items()))
    return path


@pytest.fixture
def data(tmp_path):
    return write(tmp_path / "wordsets", FILES)


def scores(record):
    rows = record.tables["scores"].rows()
    return {(row["model"], row["set"], row["metric"], row["policy"]): row for row in rows}


def test_every_kind_of_set_is_scored_under_both_policies_for_missing_words(tmp_path, data):
    record = words(table(tmp_path / "t.txt"), data=data, draws=100)
    found = {key[1:]: (row["score"], row["items"], row["of"]) for key, row in scores(record).items()}
    assert found["rg65", "spearman", "drop"] == (1.0, 3, 4)
    mean = np.mean(list(WORDS.values()), axis=0)
    cat = np.array(WORDS["cat"])
    assert mean @ cat < 0  # so that "cat, dragon" does not come first though people put it first
    assert found["rg65", "spearman", "mean"][0] < 1
    assert found["rg65", "spearman", "mean"][1:] == (4, 4)
    assert found["google", "accuracy", "drop"] == (1.0, 1, 3)
    assert found["google", "accuracy", "mean"][1] == 3
    assert found["google", "accuracy", "mean"][0] <= 2 / 3  # whose answer is missing cannot be right
    assert found["essli2008", "purity, best of six", "drop"][1:] == (4, 5)
    assert found["semeval2012", "mean spearman", "drop"] == (1.0, 1, 1)


def test_words_are_found_as_written_and_then_in_lower_case(tmp_path, data):
    record = words(table(tmp_path / "t.txt"), data=data, sets=("rg65",), draws=100)
    assert [row["items"] for row in record.tables["scores"].rows() if row["policy"] == "drop"] == [3]


def test_several_tables_are_compared_on_what_all_of_them_know(tmp_path, data):
    small = {word: WORDS[word] for word in ("king", "queen", "cat")}
    one, two = table(tmp_path / "one.txt"), table(tmp_path / "two.txt", small)
    record = words([one, two], data=data, sets=("similarity",), draws=100)
    found = scores(record)
    assert {found[name, "rg65", "spearman", "common"]["items"] for name in map(str, (one, two))} == {2}
    gaps = {row["set"]: row["gap"] for row in record.tables["gaps"].rows()}
    assert gaps == {"rg65": 0, "mc30": 0}
    counted = {row["policy"]: row["sets"] for row in record.tables["means"].rows()}
    assert counted == {"mean": 1, "drop": 1, "common": 1}  # mc30 is no part of the mean: its pairs are rg65's


def test_the_same_seed_gives_the_same_bytes_wherever_the_sets_lie(tmp_path, data):
    path, elsewhere = table(tmp_path / "t.txt"), data.rename(tmp_path / "elsewhere")
    first = _plain(words(path, data=elsewhere, draws=100))
    again = _plain(words(path, data=elsewhere.rename(data), draws=100))
    assert first == again
    assert str(data.parent) not in json.dumps(first["data"]["sources"])


def _plain(record):
    whole = json.loads(record.to_json())
    return {name: whole[name] for name in ("settings", "data", "tables", "findings")}


def test_the_record_says_how_long_each_set_took_and_what_computed(tmp_path, data):
    record = words(table(tmp_path / "t.txt"), data=data, sets=("rg65", "google"), draws=100)
    assert set(record.timings["seconds"]) == {"rg65", "google"}
    assert record.environment["versions"]["numpy"] == np.__version__


def test_a_folder_that_cannot_be_written_is_told_before_a_table_is_read(tmp_path, data):
    (tmp_path / "run").write_text("a file")
    with pytest.raises(BadInput, match="this is a file, not a folder"):
        words(tmp_path / "no table.txt", data=data, out=tmp_path / "run")


def test_only_the_most_frequent_words_are_looked_at_where_so_many_are_asked_for(tmp_path, data):
    record = words(table(tmp_path / "t.txt"), data=data, sets=("rg65",), draws=100, most=2)
    assert [row["items"] for row in record.tables["scores"].rows() if row["policy"] == "drop"] == [1]


def test_what_is_wrong_is_said(tmp_path, data):
    path = table(tmp_path / "t.txt")
    with pytest.raises(BadInput, match="did you mean 'rg65'"):
        words(path, data=data, sets=("rg56",))
    with pytest.raises(BadInput, match="not here"):
        words(path, data=data, sets=("simlex",))
    with pytest.raises(BadInput, match="no such folder"):
        words(path, data=tmp_path / "none")
    (data / "sim/EN-RG-65.txt").write_text("king\tqueen\tmuch\n")
    with pytest.raises(BadInput, match=r"line 1: 'much' is no number"):
        words(path, data=data, sets=("rg65",))


def test_the_command_prints_a_line_a_score_and_keeps_the_record(tmp_path, data):
    path = table(tmp_path / "t.txt")
    done = wordworth(
        *("study", "words", "--model", path, "--data", data, "--sets", "rg65", "--draws", 100, "--out", tmp_path)
    )
    assert done.code == 0
    assert f"{path}  rg65  spearman" in done.out
    assert json.loads((tmp_path / "record.json").read_text())["kind"] == "words"
    assert "no study 'wrods'; did you mean 'words'?" in wordworth("study", "wrods").err
