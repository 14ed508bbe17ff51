"""SemCor's sentences, and what they cannot teach."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.senses.datasets import read_sets
from wordworth.studies.senses.settings import SensesSettings

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
