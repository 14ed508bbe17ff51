"""Sets by their names, and where they belong."""

import gzip

import pytest
from tests.studies.contextuality.data import shared

from wordworth.errors import BadInput
from wordworth.studies.senses.datasets import read_sets
from wordworth.studies.senses.settings import SensesSettings
from wordworth.studies.senses.wic import Pairs

BLOCK = """# {part}/d{n}/1
The	DT
big_bank	NN	bank%1:17:01::	1
of	IN
Ohio	NNP	location%1:03:00::	1
{verb}	VB	open%2:35:00::	1
``	PUNC
late	JJ	late%3:00:00::;5:00:00::	1;2
{word}	NN	bank%1:14:00::	2
gone	JJ	gone%5:00:00:x:00	0
"""


def semcor(folder, parts=("brown1", "brown1", "brown2", "brownv")):
    path = folder / "text.txt"
    path.write_text(
        "\n".join(BLOCK.format(part=part, n=n, verb="opens", word="bank") for n, part in enumerate(parts * 2))
    )
    return path


def own(folder, text, name="words.csv"):
    path = folder / name
    path.write_text(text)
    return path


def read(path, **changes):
    (found,) = read_sets(SensesSettings(data=(str(path),), **changes))
    return found


ROWS = [("bank", "money", "the bank pays"), ("bank", "river", "a Bank, of sand")] * 10


def test_without_data_it_is_said_where_they_belong(tmp_path, monkeypatch):
    monkeypatch.delenv("WORDWORTH_DATA", raising=False)
    with pytest.raises(BadInput, match="WORDWORTH_DATA"):
        read_sets(SensesSettings())
    with pytest.raises(BadInput, match="semcor is not on this machine") as said:
        read_sets(SensesSettings(data=("semcor",)))
    assert "docs/data.md" in str(said.value)
    with pytest.raises(BadInput, match="no such file"):
        read_sets(SensesSettings(data=(str(tmp_path / "none.csv"),)))


def test_fewer_sentences_may_be_read(tmp_path):
    text = "word,sense,sentence\n" + "\n".join(f'{a},{b},"{c}"' for a, b, c in ROWS)
    assert len(read(own(tmp_path, text), limit=15).sentences) == 15


def test_the_shared_sets_hold_what_their_papers_say(monkeypatch):
    monkeypatch.setenv("WORDWORTH_DATA", str(shared("senses").parent))
    coarse, pairs = read_sets(SensesSettings(data=("coarsewsd", "wic")))
    assert (int(coarse.train_mask.sum()), int(coarse.tested.sum()), len(coarse.words)) == (23_370, 10_196, 20)
    assert isinstance(pairs, Pairs)
    assert [int(pairs.in_split(split).sum()) for split in ("train", "dev", "test")] == [5_428, 638, 1_400]
    assert pairs.same.mean() == 0.5


def test_a_shared_set_may_be_packed_or_not(tmp_path, monkeypatch):
    monkeypatch.setenv("WORDWORTH_DATA", str(tmp_path))
    (tmp_path / "senses" / "semcor").mkdir(parents=True)
    plain = semcor(tmp_path)
    (tmp_path / "senses" / "semcor" / "semcor3.txt").write_bytes(plain.read_bytes())
    assert read_sets(SensesSettings(data=("semcor",)))[0].words == read(plain).words
    (tmp_path / "senses" / "semcor" / "semcor3.txt").unlink()
    (tmp_path / "senses" / "semcor" / "semcor3.txt.gz").write_bytes(gzip.compress(plain.read_bytes()))
    assert read_sets(SensesSettings())[0].words == read(plain).words


def test_a_file_is_seeded_by_its_sentences_and_not_by_its_name(tmp_path):
    text = "word,sense,sentence\n" + "\n".join(f'{a},{b},"{c}"' for a, b, c in ROWS)
    one, other, changed = (
        read(own(tmp_path, content, name)).seed_name
        for content, name in ((text, "one.csv"), (text, "other.csv"), (text.replace("pays", "lends"), "one.csv"))
    )
    assert one == other != changed


def test_a_misspelt_name_of_a_data_set_is_answered_with_the_likeliest_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadInput, match="no data set or file 'semcro'; did you mean 'semcor'"):
        read_sets(SensesSettings(data=("semcro",)))
