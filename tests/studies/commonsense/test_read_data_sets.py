"""Data sets by name and by file, told apart by what is in them."""

import json

import pytest

from wordworth.errors import BadInput
from wordworth.studies.commonsense.read_data_sets import PUBLISHED, USUAL, read_sets

PRONOUNS = "text\tpronoun\tcandidates\tanswer\nAnn saw Joan; she left.\tshe\tAnn|Joan\tAnn\n"


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_files_are_told_apart_by_their_columns(tmp_path):
    files = {
        "a.tsv": PRONOUNS + "So it is it.\tit\tAnn|Joan\tAnn\n",
        "b.jsonl": json.dumps({"context": "He", "endings": ["ate.", "flew."], "label": 0}),
        "c.csv": "good,bad\na is,a are\na is,a is\n",
    }
    sets = read_sets([str(write(tmp_path / name, text)) for name, text in files.items()])
    assert [(each.name, each.kind, len(each.items), each.rows) for each in sets] == [
        ("a.tsv", "pronouns", 1, 2),
        ("b.jsonl", "endings", 1, 1),
        ("c.csv", "pairs", 1, 2),
    ]
    assert all(len(each.sha256) == 64 for each in sets)


CODAH = "category,prompt,ending0,ending1,ending2,ending3,label\no,I am hungry. I am,ill.,glad.,afraid.,tempted.,3\n"


def test_codah_is_read_as_texts_with_four_endings(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    write(tmp_path / PUBLISHED["codah"], CODAH)
    (codah,) = read_sets(["codah"])
    (item,) = codah.items
    assert (codah.name, codah.kind, codah.rows, item.answer) == ("codah", "endings", 1, 3)
    assert item.texts[3] == "I am hungry. I am tempted."


def test_published_names_and_the_usual_sets_are_found(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    with pytest.raises(BadInput, match="no data are given"):
        read_sets([])
    write(tmp_path / PUBLISHED["wsc273"], PRONOUNS)
    write(tmp_path / PUBLISHED["dpr_train"], PRONOUNS)
    assert [each.name for each in read_sets([])] == ["wsc273"]
    assert [each.name for each in read_sets(["dpr_train"])] == ["dpr_train"]
    assert set(USUAL) < set(PUBLISHED)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("text,label\na,b\n", r"no known columns \(text, label\)"),
        ("text,pronoun,candidates\na it b,it,a|b\n", "no column 'answer'"),
        ("text,pronoun,candidates,answer\nit and it,it,a|b,a\n", "no row has its pronoun exactly once"),
        ("text,pronoun,candidates,answer\nit and a,it,a,a\n", "fewer than two different candidates"),
        ("good,bad\na,a\n", "nothing to choose from"),
        ("", "the file is empty"),
    ],
)
def test_files_without_a_choice_are_refused(text, what, tmp_path):
    with pytest.raises(BadInput, match=what):
        read_sets([str(write(tmp_path / "x.csv", text))])


def test_unknown_names_and_the_same_name_twice_are_refused(tmp_path):
    with pytest.raises(BadInput, match="no data set 'wsc'"):
        read_sets(["wsc"])
    paths = [str(write(tmp_path / folder / "a.tsv", PRONOUNS)) for folder in "xy"]
    with pytest.raises(BadInput, match=r"two data sets are called 'a.tsv'"):
        read_sets(paths)
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadInput, match="files here"):
        read_sets([str(tmp_path / "folder")])
    write(tmp_path / "folder" / "p.jsonl", '{"text": "a"}')
    with pytest.raises(BadInput, match="no columns of minimal pairs"):
        read_sets([str(tmp_path / "folder")])


def test_a_published_set_is_seeded_by_its_name_and_a_file_by_its_items(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    write(tmp_path / PUBLISHED["wsc273"], PRONOUNS)
    files = [str(write(tmp_path / name, PRONOUNS)) for name in ("a.tsv", "b.tsv")]
    published, one, other = read_sets(["wsc273", *files])
    assert published.seed_name == "wsc273"
    assert one.seed_name == other.seed_name
    assert one.seed_name not in ("", "a.tsv")
