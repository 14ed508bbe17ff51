"""Tagged sentences of a user, and CoarseWSD's."""

import json
import lzma

import pytest

from wordworth.errors import BadInput
from wordworth.studies.senses.datasets import read_sets
from wordworth.studies.senses.settings import SensesSettings


def own(folder, text, name="words.csv"):
    path = folder / name
    path.write_text(text)
    return path


def read(path, **changes):
    (found,) = read_sets(SensesSettings(data=(str(path),), **changes))
    return found


ROWS = [("bank", "money", "the bank pays"), ("bank", "river", "a Bank, of sand")] * 10


def test_a_users_own_file_needs_three_columns(tmp_path):
    text = "word,sense,sentence\n" + "\n".join(f'{a},{b},"{c} {n}"' for n, (a, b, c) in enumerate(ROWS))
    found = read(own(tmp_path, text))
    assert found.senses == ("money", "river")
    assert found.span[:2].tolist() == [[1, 2], [1, 2]]
    assert found.form(1) == "Bank,"
    assert len(set(found.document)) == 20  # each sentence is told by the others
    assert found.tested.all()


def test_a_sentence_is_not_told_by_its_own_copy(tmp_path):
    rows = [*((f"bank,{sense},the bank {cue}{n}") for n in range(5) for sense, cue in (("a", "pays"), ("b", "floods")))]
    header = "word,sense,sentence\n"
    once = read(own(tmp_path, header + "\n".join(rows), "once.csv"))
    twice = read(own(tmp_path, header + "\n".join([*rows, *rows]), "twice.csv"))
    assert len(set(once.document)) == len(set(twice.document)) == 10
    copies = {twice.sentences[at]: document for at, document in enumerate(twice.document)}
    assert all(copies[words] == document for words, document in zip(twice.sentences, twice.document, strict=True))


def test_splits_documents_and_places_are_taken_where_they_are_given(tmp_path):
    text = "word,sense,sentence,index,split,document\n" + "\n".join(
        f"run,{sense},he ran and ran,{place},{split},{document}"
        for sense, place, split, document in [("a", 1, "train", "x"), ("b", 3, "test", "y")] * 10
    )
    found = read(own(tmp_path, text))
    assert found.train_mask.sum() == found.tested.sum() == 10
    assert not (found.train_mask & found.tested).any()
    assert {found.form(place) for place in range(20)} == {"ran"}
    assert len(set(found.document)) == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("word,sense,text\nbank,a,the bank\n", "no column 'sentence'"),
        ("word,sense,sentence\nbank,a,the shore\n", "line 2: the sentence does not contain 'bank'"),
        ("word,sense,sentence,index\nbank,a,the bank,7\n", "line 2: index 7 is not among"),
        ("word,sense,sentence\nbank,,the bank\n", "line 2: the word or the sense is empty"),
        ("word,sense,sentence,split\nbank,a,the bank,dev\n", "line 2: split is 'dev'"),
        ("word,sense,sentence\nbank,a,the bank\n", "too few"),
        ("word,sense,sentence\n" + "bank,a,the bank\n" * 20, "no word has two senses"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_one_line(tmp_path, text, said):
    with pytest.raises(BadInput, match=said):
        read(own(tmp_path, text))


def test_coarsewsds_senses_are_called_what_people_call_them(tmp_path, monkeypatch):
    folder = tmp_path / "senses" / "coarsewsd20"
    folder.mkdir(parents=True)
    (folder / "classes.json").write_text(json.dumps({"bass": {"0": "bass_bass_guitar", "1": "bass_double_bass"}}))
    rows = "".join(f"bass\t{split}\t{n % 2}\t1\tthe bass plays\n" for n in range(12) for split in ("train", "test"))
    (folder / "coarsewsd20.tsv.xz").write_bytes(lzma.compress(f"word\tsplit\tclass\tindex\tsentence\n{rows}".encode()))
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    (found,) = read_sets(SensesSettings())  # whatever is there
    assert found.name == "coarsewsd"
    assert found.labels == ("bass guitar", "double bass")
    (folder / "classes.json").write_text("{}")
    with pytest.raises(BadInput, match="names of the senses cannot be read"):
        read_sets(SensesSettings())
