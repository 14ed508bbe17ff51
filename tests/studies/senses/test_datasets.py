"""Files of tagged words: SemCor, CoarseWSD and a user's own."""

import gzip
import json
import lzma

import pytest
from tests.studies.context.data import shared

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


def test_semcors_words_are_known_by_lemma_and_part_of_speech(tmp_path):
    found = read(semcor(tmp_path))
    assert found.words == ("bank (noun)", "open (verb)")
    assert found.labels == ("WordNet sense 2: group", "WordNet sense 1: object", "WordNet sense 1: contact")
    assert found.ranks.tolist() == [2, 1, 1]
    assert found.form(0) == "big bank"
    assert found.sentences[0][:3] == ("The", "big", "bank")
    assert '"' in found.sentences[0]


def test_what_semcor_cannot_teach_is_counted(tmp_path):
    left_out = read(semcor(tmp_path)).source.left_out
    assert sum(left_out.values()) == 24
    assert {why.split()[0] for why in left_out} == {"names", "words", "senses"}


def test_texts_with_verbs_only_teach_and_are_not_tested(tmp_path):
    found = read(semcor(tmp_path))
    assert found.train_mask.all()
    assert (~found.tested).sum() == 6


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("no head\n", "line 1: this is not the head"),
        ("# a/b/1\nbank\tNN\tbank%9:17:01::\t1\n", "line 2: 'bank%9:17:01::'"),
    ],
)
def test_a_damaged_semcor_is_named_by_its_line(tmp_path, text, said):
    with pytest.raises(BadInput, match=said):
        read(own(tmp_path, text, "text.txt"))


ROWS = [("bank", "money", "the bank pays"), ("bank", "river", "a Bank, of sand")] * 10


def test_a_users_own_file_needs_three_columns(tmp_path):
    text = "word,sense,sentence\n" + "\n".join(f'{a},{b},"{c}"' for a, b, c in ROWS)
    found = read(own(tmp_path, text))
    assert found.senses == ("money", "river")
    assert found.span[:2].tolist() == [[1, 2], [1, 2]]
    assert found.form(1) == "Bank,"
    assert len(set(found.document)) == 20  # each sentence is told by the others
    assert found.tested.all()


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
