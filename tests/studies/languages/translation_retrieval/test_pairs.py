import numpy as np
import pytest
from tests.studies.languages.conftest import rows, write
from tests.studies.languages.translation_retrieval.pair_tables import pairs

from wordworth.errors import BadInput
from wordworth.studies.languages.settings import LanguagesSettings
from wordworth.studies.languages.translation_retrieval.pairs import holds_translations, read_pairs
from wordworth.text.file_formats.read import read_rows


def table_of(path, table):
    return read_rows(write(path / "pairs.csv", table))


def read(path, table, **choices):
    return read_pairs(table_of(path, table), LanguagesSettings(**choices))


def without(table, *names):
    return [{name: cell for name, cell in row.items() if name not in names} for row in table]


def test_a_column_of_translations_gives_a_pair_a_row(tmp_path):
    read_in = read(tmp_path, pairs())
    assert (read_in.source, read_in.languages, len(read_in.texts)) == ("english", ("aa", "bb"), 120)
    first, second = read_in.both_sides(1)
    assert all(text.split()[2:] == other.split()[2:] for text, other in zip(first, second, strict=True))
    assert read(tmp_path, pairs(), source="eng", languages=("aa",)).source == "eng"


def test_rows_that_share_an_item_are_pairs_with_the_source(tmp_path):
    read_in = read(tmp_path, without(rows(), "label"), source="bb")
    assert (read_in.source, read_in.languages, len(read_in.texts)) == ("bb", ("aa", "cc"), 120)
    first, second = read_in.both_sides(0)
    assert all(text.split()[-3:] == other.split()[-3:] for text, other in zip(first, second, strict=True))


def test_pairs_of_the_same_source_text_are_on_the_same_side_and_the_limit_and_share_hold(tmp_path):
    table = [{**row, "english": row["english"].split()[-1]} for row in pairs()]
    read_in = read(tmp_path, table, limit=40, test=0.25)
    assert [len(read_in.rows(number)) for number in (0, 1)] == [40, 40]
    assert np.mean(read_in.test) == pytest.approx(0.25, abs=0.03)
    for item in range(int(read_in.item.max()) + 1):
        assert len(set(read_in.test[read_in.item == item])) == 1
        assert len({read_in.source_texts[row] for row in np.flatnonzero(read_in.item == item)}) == 1
    assert read(tmp_path, table, limit=40).texts == read(tmp_path, table, limit=40).texts


@pytest.mark.parametrize(
    ("table", "choices", "expected"),
    [
        (rows(), {}, False),
        (rows(), {"translation": "text"}, True),
        (without(rows(), "label"), {}, True),
        (without(rows(), "label", "index"), {}, False),
        (pairs(), {}, True),
        (pairs(), {"label": "english"}, False),
        ([{**row, "label": "x"} for row in pairs()], {}, False),
    ],
)
def test_what_is_measured_follows_from_the_columns(tmp_path, table, choices, expected):
    assert holds_translations(table_of(tmp_path, table), LanguagesSettings(**choices)) is expected


@pytest.mark.parametrize(
    ("table", "choices", "message"),
    [
        ([{**row, "text": " "} if row["lang"] == "bb" else row for row in pairs()], {}, "language 'bb' has no text"),
        ([{**pairs()[0], "english": ""}, *pairs()[1:]], {}, r"1 of 120 rows has no translation \(line 2\)"),
        (without(pairs(), "lang"), {}, "which column says the language of a text"),
        (without(pairs(), "text"), {"translation": "english"}, "which column holds the texts"),
        (pairs(), {"text": "english", "translation": "english"}, "a column cannot serve twice"),
        (pairs(), {"translation": "englisch"}, "translation column 'englisch' not found"),
        ([*pairs(), *pairs(5, ("cc",))], {}, "5 translations in 'cc' cannot be halved and measured"),
        (
            [{**row, "english": "the same"} for row in pairs()],
            {},
            "no translation in 'aa' is left to test on: its pairs have 1 different text in 'english'",
        ),
        (pairs(), {"test": 0.999}, r"no translation in '\w+' is left to learn from"),
        (without(rows(), "label"), {"source": "dd"}, "no text in 'dd'"),
        (
            without([{**row, "index": f"{row['language']} {row['index']}"} for row in rows()], "label"),
            {"item": "index"},
            "no text in 'aa' shares its item",
        ),
        (without([{**row, "index": "7"} for row in rows()], "label"), {}, "'aa' has two texts of the item '7'"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_line(tmp_path, table, choices, message):
    with pytest.raises(BadInput, match=message) as refused:
        read(tmp_path, table, **choices)
    assert refused.value.mend
