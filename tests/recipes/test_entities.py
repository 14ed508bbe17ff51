"""Nominals are linked to the noun that they most often are, and sentences keep their words."""

import json
from collections import Counter

import entities as recipe
from wordworth.text.entity_links import parse_links

SENSES = {
    "bank%1:14:00::": "01-n",
    "bank%1:17:01::": "02-n",
    "bank%2:35:00::": "03-v",
    "river%1:17:00::": "04-n",
    "city%1:15:00::": "05-n",
    "gap%1:07:00::": "06-n",
    "gap%1:17:00::": "07-n",
}
NOUNS = recipe.Nouns(SENSES, Counter({"bank%1:17:01::": 3, "bank%2:35:00::": 9}), set(SENSES.values()))


def test_the_most_frequent_noun_or_the_only_one_is_taken_of_a_phrase_or_its_last_word():
    assert [NOUNS.synset(each) for each in ("bank", "the steep Banks", "cities", "river")] == [
        "02-n",
        "02-n",
        "05-n",
        "04-n",
    ]
    assert [NOUNS.synset(each) for each in ("gap", "she", "")] == ["", "", ""]


def test_relations_have_both_nominals_marked(tmp_path):
    (tmp_path / "train.txt").write_text('1\t"The <e1>bank</e1> of a <e2>river</e2>."\nOther\nComment: none\n\n')
    (row,) = recipe.relations(tmp_path / "train.txt", NOUNS)
    assert row == {"text": "The [[HD:02-n|bank]] of a [[TL:04-n|river]].", "label": "Other"}


def test_types_keep_the_place_of_their_mention(tmp_path):
    line = json.dumps({"sent": "[ the bank ] fell", "start": 6, "end": 10, "labels": ["place"]})
    (tmp_path / "rows.jsonl").write_text(line + "\n")
    (row,) = recipe.types(tmp_path / "rows.jsonl", NOUNS)
    assert row == {"text": "  the [[ENT:02-n|bank]]   fell", "labels": ["place"]}


def test_words_of_semcor_have_the_senses_that_people_chose(tmp_path):
    first = "# a/b/1\nThe\tDT\nriver_bank\tNN\tbank%1:17:01::;1:14:00::\t2\n"
    second = "# a/b/2\n``\tPUNC\nGap\tNN\tgap%1:07:00::\t1\n"
    (tmp_path / "semcor.txt").write_text(f"{first}\n{second}")
    ((_, sentences),) = recipe.semcor(tmp_path / "semcor.txt", SENSES, {"01-n", "02-n"})
    assert [text for text, _ in sentences] == ["The river bank", '" Gap']
    assert parse_links(recipe.write_links(*sentences[0])).mentions[0].entity == "02-n"
    assert sentences[1][1] == []
