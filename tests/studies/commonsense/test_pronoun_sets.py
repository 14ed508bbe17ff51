"""Sentences with pronouns: candidates stand where the pronoun stood, written as English has them there."""

import pytest

from wordworth.errors import BadInput
from wordworth.studies.commonsense.pronoun_sets import pronoun_items, schema_items
from wordworth.text.file_formats.table import TextTable
from wordworth.text.read_compressed_file import RawFile


def items(text, pronoun, candidates, answer=None):
    columns = {"text": [text], "pronoun": [pronoun], "candidates": [candidates]}
    columns["answer"] = [answer or candidates.partition("|")[0]]
    return list(pronoun_items(TextTable(columns, "p.tsv", "0", [2])))


@pytest.mark.parametrize(
    ("text", "pronoun", "candidates", "whole"),
    [
        ("The bee sat, since it was hot.", "it", "The bee|the sun", "The bee sat, since the bee was hot."),
        (
            "They refused because  [MASK]  feared it.",
            "[MASK]",
            "The men|Eve",
            "They refused because the men feared it.",
        ),
        ("A nurse left. [MASK] was ill.", "[MASK]", "the nurse|Al", "A nurse left. The nurse was ill."),
        ("[MASK]  was told by Ann.", "[MASK]", "Joan|Ann", "Joan was told by Ann."),
        ("Ann told Joan about  [MASK] .", "[MASK]", "Ann|Joan", "Ann told Joan about Ann."),
        ('He said "_ is late" to Tom.', "_", "Tom|Al", 'He said "Tom is late" to Tom.'),
        ("The cook met the boss when [MASK] ate.", "[MASK]", "cook|boss", "The cook met the boss when the cook ate."),
        ("Tom's itch: it hurt.", "it", "Tom|itch", "Tom's itch: Tom hurt."),
    ],
)
def test_the_candidate_takes_the_place_of_the_pronoun(text, pronoun, candidates, whole):
    (item,) = items(text, pronoun, candidates)
    assert item.texts[0] == whole
    assert item.answer == 0


def test_a_pronoun_that_stands_twice_has_no_known_place():
    assert items("It fell since it was old.", "it", "a|b") != []  # the capital one is another
    assert items("Then it fell since it was old.", "it", "a|b") == []


@pytest.mark.parametrize(("text", "pronoun"), [("Ann left.", "she"), ("Ann left.", ""), ("Ann shed it.", "she")])
def test_a_pronoun_that_is_not_there_is_refused_with_its_line(text, pronoun):
    with pytest.raises(BadInput, match=r"p.tsv, line 2: the pronoun .* is not in the text"):
        items(text, pronoun, "Ann|Joan")


SCHEMA = """<schema><text><txt1>The men refused the crowd a permit because</txt1><pron>they</pron>
<txt2>feared violence.</txt2></text><answers><answer>The men</answer><answer>the crowd</answer></answers>
<correctAnswer>B.</correctAnswer></schema>"""


def raw(text):
    return RawFile("w.xml", ".xml", "0", text.encode())


def test_the_xml_of_the_winograd_schema_challenge_is_read():
    (item,) = schema_items(raw(f"<collection>{SCHEMA}</collection>"))
    assert item.texts[1] == "The men refused the crowd a permit because the crowd feared violence."
    assert (item.answer, item.pronoun) == (1, "they")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("<collection>", "this is not XML"),
        (f"<c>{SCHEMA.replace('B.', 'C.')}</c>", "schema 1: a schema without"),
        (f"<c>{SCHEMA.replace('they', '')}</c>", "schema 1: a schema without"),
        (f"<c>{SCHEMA.replace('the crowd', 'The men')}</c>", "schema 1: a schema without"),
        ('<!DOCTYPE c [<!ENTITY a "aa">]><c>&a;</c>', "declares entities"),
    ],
)
def test_other_xml_is_refused(text, what):
    with pytest.raises(BadInput, match=what):
        list(schema_items(raw(text)))
