"""Published sets are read where they are, by year and part; the user's pairs by their columns."""

import pytest
from tests.training.sentences.sentence_files import write

from wordworth.errors import BadInput
from wordworth.studies.sentences.pair_sets import read_sets
from wordworth.studies.sentences.settings import SentencesSettings


@pytest.fixture
def _published(tmp_path, monkeypatch):
    for name in ("sts", "stsb", "sick"):
        (tmp_path / name).mkdir()
    lines = ["year\tdomain\tsplit\tscore\tsentence1\tsentence2"]
    for year, domain, split in (("2012", "MSRpar", "train"), ("2012", "MSRpar", "test"), ("2012", "OnWN", "test")):
        lines += [f"{year}\t{domain}\t{split}\t{row % 6}\ta {row}\tb {row} {split}" for row in range(12)]
    lines += [f"2013\tFNWN\ttest\t{row % 6}\tc {row}\td" for row in range(11)]
    (tmp_path / "sts" / "sts_2012_2016.tsv").write_text("\n".join(lines) + "\n")
    write(tmp_path / "stsb" / "test.csv", ["text_a", "text_b", "score"], [("a", "b", row) for row in range(10)])
    sick = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
    rows = (f"{row}\ta\tb\t{row % 5 + 1}\tNEUTRAL\n" for row in range(10))
    (tmp_path / "sick" / "SICK.tsv").write_text(sick + "".join(rows))
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))


def read(**choices):
    return read_sets(SentencesSettings(**{"model": "mini", **choices}))


@pytest.mark.usefixtures("_published")
def test_all_sets_that_are_there_are_read_and_of_a_year_its_test_part():
    sets = {each.name: each for each in read()}
    assert {name: len(each) for name, each in sets.items()} == {"sts12": 24, "sts13": 11, "stsb": 10, "sick": 10}
    assert sets["sts12"].subsets == ["MSRpar", "OnWN"]
    assert not sets["sts13"].subsets
    assert all(text.endswith("test") for text in sets["sts12"].second)
    assert sets["sick"].scores.tolist() == [1, 2, 3, 4, 5] * 2


@pytest.mark.usefixtures("_published")
def test_a_set_alone_or_beside_pairs_of_the_users(tmp_path):
    assert [each.name for each in read(sets=("sts13",))] == ["sts13"]
    own = write(tmp_path / "mine.csv", ["q", "a", "how"], [(f"a{row}", "b", row) for row in range(20)])
    columns = {"text": "q", "text_b": "a", "label": "how", "data": own}
    assert [each.name for each in read(**columns)] == ["mine.csv"]
    assert [each.name for each in read(**columns, sets=("stsb",))] == ["mine.csv", "stsb"]


@pytest.mark.usefixtures("_published")
def test_a_limit_draws_the_same_pairs_with_the_same_seed():
    one, same, other = (read(sets=("sts12",), limit=10, seed=seed)[0] for seed in (0, 0, 1))
    assert len(one) == 10
    assert one.first == same.first
    assert one.first != other.first
    assert one.rows == 24


@pytest.mark.usefixtures("_published")
def test_sets_that_are_not_there_are_refused(monkeypatch):
    with pytest.raises(BadInput, match="no set 'sts16' here"):
        read(sets=("sts16",))
    monkeypatch.delenv("WORDWORTH_DATA")
    with pytest.raises(BadInput, match="no published set is here, and no pairs are given"):
        read()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("a", "b", 1)] * 9, "9 pairs are too few for a correlation"),
        ([("a", "b", 1)], "1 pair is too few for a correlation"),
        ([("a", "b", 1)] * 20, "every pair has the score 1"),
        ([(f"text {n}", f"text {n}", n) for n in range(20)], "every pair has two equal texts"),
        ([("a", "b", "x")] * 20, "'x' is not a number"),
        ([("a", "", 1)] * 20, "an empty 'text_b'"),
    ],
)
def test_pairs_that_cannot_be_scored_are_refused(tmp_path, rows, message):
    with pytest.raises(BadInput, match=message):
        read(data=write(tmp_path / "x.csv", ["text_a", "text_b", "score"], rows))
    with pytest.raises(BadInput, match="a label or score is needed"):
        read(data=write(tmp_path / "y.csv", ["text_a", "text_b"], [("a", "b")] * 20))


def test_the_users_pairs_are_drawn_alike_whatever_their_file_is_called(tmp_path):
    rows = [(f"a{row}", f"b{row}", row) for row in range(40)]
    files = [write(tmp_path / name, ["text_a", "text_b", "score"], rows) for name in ("one.csv", "other.csv")]
    one, other = (read(data=file, sets=(), limit=20)[0] for file in files)
    assert (one.first, one.seed_name) == (other.first, other.seed_name)


def test_pairs_that_are_drawn_with_one_score_need_another_limit(tmp_path):
    rows = [(f"a{row}", "b", int(row == 3)) for row in range(400)]
    data = write(tmp_path / "mine.csv", ["text_a", "text_b", "score"], rows)
    with pytest.raises(BadInput, match=r"mine.csv: each of the 10 pairs drawn has the score 0; give a larger `limit`"):
        read(data=data, limit=10)


@pytest.mark.usefixtures("_published")
@pytest.mark.parametrize(
    ("name", "path", "content", "what"),
    [
        ("stsb", "stsb/test.csv", "text_a,text_b\n" + "a,b\n" * 20, "a label or score is needed"),
        ("stsb", "stsb/test.csv", "text_a,text_b,score\n" + "a,b,1\n" * 20, "every pair has the score 1"),
        ("sts12", "sts/sts_2012_2016.tsv", "sentence1\tsentence2\tscore\n" + "a\tb\t1\n" * 9, "'year' not found"),
    ],
)
def test_a_damaged_published_file_is_not_mended_by_options(tmp_path, name, path, content, what):
    (tmp_path / path).write_text(content)
    with pytest.raises(BadInput, match=what) as error:
        read(sets=(name,))
    assert error.value.where == str(tmp_path / path)
    assert error.value.mend == "copy the published file there again, or name other --sets"
