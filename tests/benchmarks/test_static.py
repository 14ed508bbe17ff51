"""What the comparison of static tables keeps."""

import static
from wordworth.files import sha256
from wordworth.records import Record, Table


def test_the_corpus_is_told_by_its_files_and_how_much_they_hold(tmp_path):
    (tmp_path / "a.txt").write_text("One sentence here. And another.\n")
    (tmp_path / "b.txt").write_text("A third one.\n")
    identity = static.corpus_identity([tmp_path])
    assert [file["name"] for file in identity["files"]] == ["a.txt", "b.txt"]
    assert identity["files"][0]["sha256"] == sha256(tmp_path / "a.txt")
    assert (identity["sentences"], identity["words"]) == (3, 11)  # marks among them
    assert str(tmp_path) not in str(identity)


def test_tables_are_told_by_name_and_not_by_where_they_stood():
    means, gaps = [{"model": "made/pc1", "score": 0.5}], [{"model": "made/pc1", "against": "made/mean"}]
    tables = {name: Table.of(rows, dict.fromkeys(rows[0], "")) for name, rows in (("means", means), ("gaps", gaps))}
    scores = static.scores(Record("words", {}, {}, tables, []))
    assert scores["means"] == [{"model": "pc1", "score": 0.5}]
    assert scores["gaps"] == [{"model": "pc1", "against": "mean"}]


def test_a_table_takes_what_its_files_take(tmp_path):
    (tmp_path / "table" / "inside").mkdir(parents=True)
    (tmp_path / "table" / "a").write_bytes(b"123")
    (tmp_path / "table" / "inside" / "b").write_bytes(b"45")
    assert static.bytes_of(tmp_path / "table") == 5
    assert static.bytes_of(tmp_path / "table" / "a") == 3
