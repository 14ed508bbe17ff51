import pytest
from tests.studies.languages.conftest import rows, write

from wordworth.models.load import load
from wordworth.studies.languages.language_texts import read_texts
from wordworth.studies.languages.pieces import PIECES, pieces_rows
from wordworth.studies.languages.settings import LanguagesSettings
from wordworth.text.piece_counts import piece_counts


@pytest.fixture(scope="module")
def table(files):
    data = read_texts(str(files / "texts.csv"), LanguagesSettings())
    counts = piece_counts(load(str(files / "tiny")).tokenizer, data.texts)
    return {row["language"]: row for row in pieces_rows(counts, data, 200, 0)}


def test_pieces_and_unknown_words_are_those_of_a_count_by_hand(files, table):
    tokenizer = load(str(files / "tiny")).tokenizer
    for language in ("aa", "bb", "cc"):
        texts = [row["text"] for row in rows() if row["language"] == language]
        pieces = [
            piece
            for text in texts
            for word in text.split()
            for piece in tokenizer.tokens(tokenizer.ids([word], special=False)[0])
        ]
        row = table[language]
        assert set(row) == set(PIECES)
        assert row["words"] == sum(len(text.split()) for text in texts)
        assert row["per_word"] == pytest.approx(len(pieces) / row["words"])
        assert row["unknown"] == pytest.approx(pieces.count("[UNK]") / row["words"])
        assert row["per_character"] == pytest.approx(len(pieces) / sum(len(text.replace(" ", "")) for text in texts))
        assert row["per_word_low"] <= row["per_word"] <= row["per_word_high"]
    assert table["aa"]["unknown"] == 0
    assert table["cc"]["unknown"] > 0.4


def test_parity_is_the_pieces_of_a_text_for_those_of_its_translation(table):
    source = table["aa"]
    assert source["parity"] is None
    for language in ("bb", "cc"):
        row = table[language]
        ratio = row["per_word"] * row["words"] / (source["per_word"] * source["words"])
        assert row["parity"] == pytest.approx(ratio)
        assert row["parity_low"] <= row["parity"] <= row["parity_high"]


def test_without_translations_there_is_no_parity(files, tmp_path):
    path = write(tmp_path / "texts.csv", [{**row, "index": str(number)} for number, row in enumerate(rows())])
    data = read_texts(str(path), LanguagesSettings())
    counts = piece_counts(load(str(files / "tiny")).tokenizer, data.texts)
    assert {row["parity"] for row in pieces_rows(counts, data, 100, 0)} == {None}
