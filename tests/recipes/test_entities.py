"""Words are linked to the synsets that they most often are, and published tasks keep their words and labels."""

import json
import lzma
from collections import Counter

import pytest

from parts.linked_tasks import coarsewsd, fewrel, relations, types, wic
from parts.wordnet_links import VERB, Lemmas, Words, counted_senses, semcor
from wordworth.text.entity_links import parse_links, write_links

SENSES = {
    "bank%1:14:00::": "01-n",
    "bank%1:17:01::": "02-n",
    "bank%2:35:00::": "03-v",
    "river%1:17:00::": "04-n",
    "city%1:15:00::": "05-n",
    "gap%1:07:00::": "06-n",
    "gap%1:17:00::": "07-n",
    "may%1:28:00::": "08-n",
    "person%1:03:00::": "09-n",
}
LINKED = set(SENSES.values())
LEMMAS = Lemmas(SENSES, Counter({"bank%1:17:01::": 3, "bank%2:35:00::": 9}), LINKED)
SEMCOR = """# a/b/1
The\tDT
river_bank\tNN\tbank%1:17:01::;1:14:00::\t2
may\tMD
banked\tVB\tbank%2:35:00::\t1
banks\tNN\tbank%1:14:00::\t1
Banks\tNN\tbank%1:14:00::\t1
banks\tVB\tbank%2:35:00::\t1
Trout\tNNP\tperson%1:03:00::\t1

# a/b/2
``\tPUNC
Gap\tNN\tgap%1:07:00::\t1
"""


@pytest.fixture
def words(tmp_path):
    (tmp_path / "semcor.txt").write_text(SEMCOR)
    return Words(tmp_path / "semcor.txt", SENSES, LEMMAS, LINKED)


def test_the_most_frequent_noun_or_the_only_one_is_taken_of_a_phrase_or_its_last_word():
    nominals = {"bank": "02-n", "the steep Banks": "02-n", "cities": "05-n", "river": "04-n"}
    assert {each: LEMMAS.nominal(each) for each in nominals} == nominals
    assert [LEMMAS.nominal(each) for each in ("gap", "she", "")] == ["", "", ""]
    assert [LEMMAS.synset(each, VERB) for each in ("bank", "river")] == ["03-v", ""]


def test_a_form_is_linked_as_the_part_of_speech_that_it_most_often_is(words):
    forms = {"banks": "01-n", "Banked": "03-v", "cities": "05-n", "gap": "06-n"}
    assert {each: words.synset(each) for each in forms} == forms


def test_neither_a_word_that_is_mostly_no_noun_nor_a_name_without_synset_is_linked(words):
    assert [words.synset(each) for each in ("may", "the", "trout", "unheard")] == ["", "", "", ""]


def test_relations_have_both_nominals_marked(tmp_path):
    (tmp_path / "train.txt").write_text('1\t"The <e1>bank</e1> of a <e2>river</e2>."\nOther\nComment: none\n\n')
    (row,) = relations(tmp_path / "train.txt", LEMMAS)
    assert row == {"text": "The [[HD:02-n|bank]] of a [[TL:04-n|river]].", "label": "Other"}


def test_types_keep_the_place_of_their_mention(tmp_path):
    line = json.dumps({"sent": "[ the bank ] fell", "start": 6, "end": 10, "labels": ["place"]})
    (tmp_path / "rows.jsonl").write_text(line + "\n")
    (row,) = types(tmp_path / "rows.jsonl", LEMMAS)
    assert row == {"text": "  the [[ENT:02-n|bank]]   fell", "labels": ["place"]}


def test_words_of_semcor_have_the_senses_that_people_chose(tmp_path):
    (tmp_path / "semcor.txt").write_text(SEMCOR)
    ((_, sentences),) = semcor(tmp_path / "semcor.txt", SENSES, {"01-n", "02-n"})
    assert [text for text, _ in sentences] == ["The river bank may banked banks Banks banks Trout", '" Gap']
    assert parse_links(write_links(*sentences[0])).mentions[0].entity == "02-n"
    assert sentences[1][1] == []
    assert counted_senses(tmp_path / "semcor.txt")["bank%1:14:00::"] == 3


def test_both_sentences_of_a_pair_have_the_same_entity_at_the_target(tmp_path, words):
    header = "split\tword\tpos\tindices\tsentence1\tsentence2\tlabel\n"
    pair = 'train\tbank\tN\t0-3\tBanks of a river .\tHe said " bank gap\tF\n'
    (tmp_path / "wic.tsv").write_text(header + pair + pair.replace("train", "test"))
    (row,) = wic(tmp_path / "wic.tsv", "train", words)
    first, second = "[[ENT:02-n|Banks]] of a [[04-n|river]] .", 'He said " [[ENT:02-n|bank]] [[06-n|gap]]'
    assert row == {"text_a": first, "text_b": second, "label": "F"}


def test_the_target_of_a_sense_has_no_entity_and_rare_senses_leave_their_word_out(tmp_path, words):
    (tmp_path / "classes.json").write_text(
        json.dumps({"bank": {"0": "bank_bank", "1": "bank_(geography)"}, "gap": {"0": "gap_gap", "1": "gap_store"}})
    )
    often = [f"bank\ttrain\t{sense}\t1\tthe bank of river {row}" for sense in "01" for row in range(100)]
    rare = [f"gap\ttrain\t{sense}\t0\tgap of {row}" for sense, count in (("0", 100), ("1", 99)) for row in range(count)]
    tested = ["bank\ttest\t1\t0\tbank [ cities ]", "gap\ttest\t0\t0\tgap"]
    text = "\n".join(["header", *often, *rare, *tested])
    (tmp_path / "coarsewsd20.tsv.xz").write_bytes(lzma.compress(text.encode()))
    rows = list(coarsewsd(tmp_path, "train", words, each=3))
    assert Counter(row["label"] for row in rows) == {"bank_bank": 3, "bank_(geography)": 3}
    assert all(row["text"].startswith("the [[ENT:|bank]] of [[04-n|river]] ") for row in rows)
    (row,) = coarsewsd(tmp_path, "test", words, each=3)
    assert row == {"text": "[[ENT:|bank]]   [[05-n|cities]]  ", "label": "bank_(geography)"}


def test_no_sentence_of_fewrel_is_in_both_parts(tmp_path):
    def sentence(number):
        return {"tokens": ["A", "\n", "bank", "|", str(number)], "h": ["", "Q1", [[2]]], "t": ["", "Q2", [[4]]]}

    both = {"P1": [sentence(each % 8) for each in range(16)], "P2": [sentence(each) for each in range(4, 14)]}
    (tmp_path / "val.json").write_text(json.dumps(both))
    train, test = fewrel(tmp_path / "val.json", LEMMAS, train=5, test=2)
    assert Counter(row["label"] for row in train) == {"P1": 5, "P2": 5}
    assert Counter(row["label"] for row in test) == {"P1": 2, "P2": 1}  # 8 to 13 alone are new
    assert len({row["text"] for row in [*train, *test]}) == 13
    assert train[0]["text"].startswith("A  [[HD:02-n|bank]]  [[TL:|")
    assert (train, test) == fewrel(tmp_path / "val.json", LEMMAS, train=5, test=2)
