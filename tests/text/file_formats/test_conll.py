"""CoNLL columns become a row a sentence."""

import json
from pathlib import Path

from wordworth.text.file_formats.read import read_rows

FILE = "-DOCSTART- -X- O O\n\nEU NNP I-NP I-ORG\nrejects VBZ I-VP O\n\n\n-DOCSTART- -X- O O\n\nPeter NNP I-NP I-PER\n"


def test_sentences_documents_and_places(tmp_path: Path) -> None:
    path = tmp_path / "eng.train"
    path.write_text(FILE, encoding="utf-8")
    table = read_rows(path)
    assert list(table.columns) == ["words", "column 2", "column 3", "tags"]
    assert [json.loads(cell) for cell in table.columns["words"]] == [["EU", "rejects"], ["Peter"]]
    assert [json.loads(cell) for cell in table.columns["tags"]] == [["I-ORG", "O"], ["I-PER"]]
    assert table.document_of == (0, 1)
    assert [table.position(row) for row in (0, 1)] == ["line 3", "line 9"]


def test_between_tabs_a_word_may_hold_a_space(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_bytes("10 000\tB-NUM\r\nдней\tO\r\n".encode())
    assert json.loads(read_rows(path).columns["words"][0]) == ["10 000", "дней"]


def test_a_no_break_space_does_not_end_a_word(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text("10\u00a0000  B-NUM\nd O\n", encoding="utf-8")
    assert json.loads(read_rows(path).columns["words"][0]) == ["10\u00a0000", "d"]


def test_a_file_without_marks_says_nothing_of_documents(tmp_path: Path) -> None:
    path = tmp_path / "a.conll"
    path.write_text("a O\n\nb O\n", encoding="utf-8")
    assert read_rows(path).document_of is None


def test_lines_with_a_hash_are_comments_between_tabs_alone(tmp_path: Path) -> None:
    between_tabs, between_spaces = tmp_path / "a.iob2", tmp_path / "b.conll"
    between_tabs.write_text("# id = 1\nNo\tO\n#\tO\n1\tO\n\n# id = 2\nRome\tB-LOC\n", encoding="utf-8")
    assert [json.loads(cell) for cell in read_rows(between_tabs).columns["words"]] == [["No", "#", "1"], ["Rome"]]
    between_spaces.write_text("# O\n1 O\n", encoding="utf-8")
    assert json.loads(read_rows(between_spaces).columns["words"][0]) == ["#", "1"]
