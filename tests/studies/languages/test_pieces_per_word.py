import pytest
from tests.studies.languages.conftest import rows, write

from wordworth.models.load import load
from wordworth.studies.languages.language_texts import read_texts
from wordworth.studies.languages.pieces_per_word import PIECES, pieces_rows, shared_pieces
from wordworth.studies.languages.settings import LanguagesSettings
from wordworth.text.file_formats.read import read_rows
from wordworth.text.tokenizer_statistics import piece_counts


@pytest.fixture(scope="module")
def table(files):
    data = read_texts(read_rows(str(files / "texts.csv")), LanguagesSettings())
    tokenizer = load(str(files / "tiny")).tokenizer
    counts, shared = piece_counts(tokenizer, data.texts), shared_pieces(tokenizer, data)
    return {row["language"]: row for row in pieces_rows(counts, shared, data, 200, 0)}


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
    data = read_texts(read_rows(str(path)), LanguagesSettings())
    counts = piece_counts(load(str(files / "tiny")).tokenizer, data.texts)
    assert {row["parity"] for row in pieces_rows(counts, counts.pieces, data, 100, 0)} == {None}


def test_shared_pieces_are_those_of_the_source_s_training_texts_without_the_unknown_one(files, table):
    data = read_texts(read_rows(str(files / "texts.csv")), LanguagesSettings())
    tokenizer = load(str(files / "tiny")).tokenizer
    pieces = {text: tokenizer.tokens(tokenizer.ids([text], special=False)[0]) for text in data.texts}
    known = {piece for text in data.of(data.rows(0, test=False)) for piece in pieces[text]} - {"[UNK]"}
    for number, language in enumerate(("aa", "bb", "cc")):
        own = [piece for text in data.of(data.rows(number)) for piece in pieces[text]]
        if not number:
            assert table[language]["shared"] is None
            continue
        assert table[language]["shared"] == pytest.approx(sum(piece in known for piece in own) / len(own))
        assert table[language]["shared_low"] <= table[language]["shared"] <= table[language]["shared_high"]
