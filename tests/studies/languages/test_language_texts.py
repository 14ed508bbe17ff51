import numpy as np
import pytest
from tests.studies.languages.conftest import rows, write

from wordworth.errors import BadInput
from wordworth.studies.languages.language_texts import read_texts
from wordworth.studies.languages.settings import LanguagesSettings
from wordworth.text.file_formats.read import read_rows


def read(path, table, **choices):
    return read_texts(read_rows(str(write(path / "texts.csv", table))), LanguagesSettings(**choices))


def test_translations_share_an_item_and_stand_on_the_same_side(tmp_path):
    data = read(tmp_path, rows())
    assert (data.columns.item, data.num_items, data.languages) == ("index", 60, ("aa", "bb", "cc"))
    for item in range(60):
        same = data.item == item
        assert same.sum() == 3
        assert len(set(data.test[same])) == 1
        assert len(set(data.labels[same])) == 1
    numbers = [text.split()[-3:] for text in data.of(data.rows(0))]
    assert numbers == [text.split()[-3:] for text in data.of(data.rows(2))], "rows are in the order of their items"


@pytest.mark.parametrize(("share", "tested"), [(0.5, 30), (0.25, 14)])
def test_a_share_of_every_label_tests(tmp_path, share, tested):
    data = read(tmp_path, rows(), test=share)
    for language in range(3):
        tests = data.labels[data.rows(language, test=True)]
        assert len(tests) == tested
        assert np.bincount(tests).tolist() == [tested // 2, tested // 2]


def test_a_limit_draws_the_same_items_of_every_language_and_another_seed_others(tmp_path):
    table = rows()
    data, again, other = (read(tmp_path, table, limit=40, seed=seed) for seed in (0, 0, 1))
    assert data.num_items == 40
    assert len(data.texts) == 120
    assert data.texts == again.texts != other.texts


def test_rows_without_a_column_of_items_are_items_of_their_own(tmp_path):
    data = read(tmp_path, [{name: cell for name, cell in row.items() if name != "index"} for row in rows()])
    assert data.columns.item is None
    assert data.num_items == 180


def test_a_guessed_column_that_only_numbers_rows_joins_nothing_and_a_named_one_must_join(tmp_path):
    numbered = [{**row, "index": str(number)} for number, row in enumerate(rows())]
    assert read(tmp_path, numbered).columns.item is None
    shifted = [{**row, "index": str(int(row["index"]) + (row["language"] == "bb"))} for row in rows()]
    assert read(tmp_path, shifted).columns.item is None, "texts with different labels are no translations"
    twice = [{**row, "index": "7"} for row in rows()]
    assert read(tmp_path, twice).columns.item is None
    with pytest.raises(BadInput, match=r"'aa' has two texts of the item '7'; give each text"):
        read(tmp_path, twice, item="index")
    with pytest.raises(BadInput, match="no two texts share an item in column 'index'"):
        read(tmp_path, numbered, item="index")


def test_english_is_the_source_else_the_first_language_unless_one_is_named(tmp_path):
    english = [{**row, "language": {"bb": "en"}.get(row["language"], row["language"])} for row in rows()]
    assert read(tmp_path, english).languages == ("en", "aa", "cc")
    assert read(tmp_path, english, source="cc").languages == ("cc", "aa", "en")
    assert read(tmp_path, english, languages=("cc", "aa")).languages == ("aa", "cc")
    with pytest.raises(BadInput, match="no text in 'de'"):
        read(tmp_path, english, source="de")
    with pytest.raises(BadInput, match=r"no text in 'c'; did you mean 'cc'"):
        read(tmp_path, english, languages=("aa", "c"))


def changed(language, **cells):
    return [{**row, **cells} if row["language"] == language else row for row in rows()]


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (changed("cc", text=" "), "the language 'cc' has no text"),
        ([{**rows()[0], "text": ""}, *rows()[1:]], r"1 of 180 rows has no text \(line 2\)"),
        ([{**rows()[0], "language": ""}, *rows()[1:]], r"1 of 180 rows has no language \(line 2\)"),
        ([{**rows()[0], "label": ""}, *rows()[1:]], r"1 of 180 rows has no label \(line 2\)"),
        (rows(languages=("aa",)), "every text is in 'aa'; give texts in several languages"),
        (changed("cc", label="pos"), "among the texts in 'cc' that are learned from, none has the label 'neg'"),
        ([{**row, "label": "pos"} for row in rows()], "every text has the label 'pos'"),
        ([*rows(languages=("aa", "bb")), *rows(3, languages=("cc",))], "3 texts in 'cc' cannot be halved and measured"),
        ([{"text": row["text"], "label": row["label"]} for row in rows()], "which column says the language of a text"),
        ([{"text": row["text"], "language": row["language"]} for row in rows()], "which column holds the labels"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_line(tmp_path, table, message):
    with pytest.raises(BadInput, match=message) as refused:
        read(tmp_path, table)
    assert refused.value.mend


def test_a_column_serves_once(tmp_path):
    with pytest.raises(BadInput, match="a column cannot serve twice"):
        read(tmp_path, rows(), item="label")
    with pytest.raises(BadInput, match="label column 'stars' not found"):
        read(tmp_path, rows(), label="stars")
