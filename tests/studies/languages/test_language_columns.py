import pytest
from tests.studies.languages.conftest import rows, write

from wordworth.errors import BadInput
from wordworth.studies.languages.language_columns import (
    language_column,
    language_names,
    require_filled,
    require_several,
    rows_in,
)
from wordworth.text.file_formats.read import read_rows


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    return read_rows(write(tmp_path_factory.mktemp("columns") / "texts.csv", rows(12)))


def test_the_column_of_languages_is_that_of_a_usual_name_or_the_one_named(table):
    assert language_column(table, None) == "language"
    assert language_column(table, "label") == "label"
    with pytest.raises(BadInput, match="which column says the language of a text"):
        language_column(table.without(range(0)).__class__({"text": ["a"]}, "t.csv", "0", [2]), None)


def test_rows_of_some_languages_remain(table):
    assert set(rows_in(table, "language", ("aa", "cc")).columns["language"]) == {"aa", "cc"}
    assert rows_in(table, "language", ()) is table


def test_english_comes_first_else_the_first_of_the_file():
    cells = ["aa"] * 10 + ["ENG"] * 10
    assert language_names(cells, None, "t.csv") == ("ENG", "aa")
    assert language_names(cells, "aa", "t.csv") == ("aa", "ENG")
    for english in ("en", "eng_Latn", "en-GB", "en_pud", "English"):
        assert language_names([*cells[:10], *[english] * 10], None, "t.csv")[0] == english
    for other in ("enm", "engadin"):
        assert language_names([*cells[:10], *[other] * 10], None, "t.csv")[0] == "aa"
    with pytest.raises(BadInput, match="every text is in 'aa'"):
        language_names(["aa"] * 20, None, "t.csv")


def test_an_empty_cell_is_refused_with_its_line(table):
    require_filled(table, "language", {"text": "text"})
    broken = table.__class__(
        {**table.columns, "label": ["", *table.columns["label"][1:]]}, "t.csv", "0", table.positions
    )
    with pytest.raises(BadInput, match=r"t.csv: 1 of 36 rows has no label \(line 2\)"):
        require_filled(broken, "language", {"label": "label"})


def test_one_language_alone_is_not_compared():
    require_several(())
    with pytest.raises(BadInput, match="one language cannot be compared with another"):
        require_several(("aa",))
    with pytest.raises(BadInput, match="one language cannot be compared with another"):
        require_several(("aa", "aa"))
