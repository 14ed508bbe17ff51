"""Files of texts with labelled spans, in each of their forms, and what is wrong with them."""

import pytest
from tests.studies.layers.small_files import spans, treebank

from wordworth.errors import BadInput
from wordworth.studies.layers.span_file import (
    Target,
    read_chunks,
    read_dependencies,
    read_pronoun_pairs,
    read_proto_roles,
    read_relations,
    read_span_labels,
    read_tags,
)


def test_a_treebank_has_a_tag_for_each_word_and_a_relation_to_its_head(tmp_path):
    path = treebank(tmp_path, 3)
    tags, relations = read_tags(path), read_dependencies(path)
    assert tags.targets[:3] == [
        Target(0, ((0, 1),), ("DET",)),
        Target(0, ((1, 2),), ("NOUN",)),
        Target(0, ((2, 3),), ("VERB",)),
    ]
    assert len(tags.targets) == len(relations.targets) == 3 * 7
    assert relations.targets[1] == Target(0, ((1, 2), (2, 3)), ("nsubj",))
    assert relations.targets[2] == Target(0, ((2, 3), (2, 3)), ("root",))  # the root is its own head
    assert relations.targets[5].labels == ("obj",)  # without its subtype
    (tmp_path / "plain.txt").write_text("the 2-det\ncat 0-root\n")
    with pytest.raises(BadInput, match="parts of speech"):
        read_tags(tmp_path / "plain.txt")


def test_chunks_are_read_with_their_ends_in_any_scheme(tmp_path):
    (tmp_path / "a.conll").write_text("John B-PER\nSmith I-PER\nsaw O\nRome B-LOC\n\nIt O\n\nParis B-LOC\n")
    found = read_chunks(tmp_path / "a.conll")
    assert found.targets == [
        Target(0, ((0, 2),), ("PER",)),
        Target(0, ((3, 4),), ("LOC",)),
        Target(2, ((0, 1),), ("LOC",)),
    ]
    (tmp_path / "b.conll").write_text("John X\nsaw Y\n\nIt X\n")
    assert [target.labels for target in read_chunks(tmp_path / "b.conll").targets] == [("X",), ("Y",), ("X",)]


def test_marked_things_lose_their_marks_and_keep_their_words_in_either_order(tmp_path):
    text = '1\t"The <e2>old cat</e2>, a pet, made <e1>noise</e1>."\nCause-Effect(e2,e1)\nComment: <e1> is odd\n\n'
    (tmp_path / "r.txt").write_text(text)
    found = read_relations(tmp_path / "r.txt")
    assert found.texts == [("The", "old", "cat", ",", "a", "pet", ",", "made", "noise", ".")]
    assert found.targets == [Target(0, ((8, 9), (1, 3)), ("Cause-Effect(e2,e1)",))]
    (tmp_path / "r.txt").write_text('1\t"The <e1>cat</e1> sat."\nOther\n')
    with pytest.raises(BadInput, match=r"<e2>"):
        read_relations(tmp_path / "r.txt")
    (tmp_path / "r.txt").write_text("nothing\n")
    with pytest.raises(BadInput, match="no sentence with marked things"):
        read_relations(tmp_path / "r.txt")


def test_a_pronoun_goes_with_each_of_its_candidates(tmp_path):
    row = "The bee left the flower because it had pollen.\tit\tThe bee|the flower\tthe flower"
    rows = f"sentence\tpronoun\tcandidates\tanswer\n{row}\n"
    (tmp_path / "p.tsv").write_text(rows)
    assert read_pronoun_pairs(tmp_path / "p.tsv").targets == [
        Target(0, ((6, 7), (1, 2)), ("other",)),
        Target(0, ((6, 7), (4, 5)), ("same",)),
    ]


def test_spans_of_edge_probing_are_read_with_one_label_or_several(tmp_path):
    assert read_span_labels(spans(tmp_path, 2)).targets[0].spans == ((0, 2), (3, 6))
    (tmp_path / "x.jsonl").write_text('{"text": "a b c", "targets": [{"span1": [0, 3], "label": ["x", "y"]}]}\n')
    assert read_span_labels(tmp_path / "x.jsonl").targets == [Target(0, ((0, 3),), ("x", "y"))]


@pytest.mark.parametrize(
    ("line", "what"),
    [
        (
            '{"text": "a b", "targets": [{"span1": [1, 3], "label": "x"}]}',
            r"the span \[1, 3\] lies outside its text of 2",
        ),
        ('{"text": "a b", "targets": [{"span1": [1, 1], "label": "x"}]}', "outside its text"),
        ('{"text": "a b", "targets": [{"span1": [-1, 1], "label": "x"}]}', "outside its text"),
        ('{"text": "a b", "targets": [{"span1": [true, 1], "label": "x"}]}', "is no span"),
        ('{"text": "a b", "targets": [{"span1": "0", "label": "x"}]}', "is no span"),
        ('{"text": "a b", "targets": [{"label": "x"}]}', "a target without span1"),
        ('{"text": "a b", "targets": [{"span1": [0, 1]}]}', "no text with targets"),
        ('{"text": "a b"}', "no text with targets"),
        ('{"text": null, "targets": [{"span1": [0, 1], "label": "x"}]}', "no text with targets"),
        ('{"text": "a b", "targets": [{"span1": [0, 1], "label": null}]}', "a target without a label"),
        ('{"text": "a b", "targets": [{"span1": [0, 1], "label": ["x", null]}]}', "a target without a label"),
        ("[]", "no text with targets"),
        ("nothing", "no text with targets"),
        ('{"text": "a b", "targets": []}', "no targets in this file"),
    ],
)
def test_what_is_no_text_with_targets_is_said_with_its_line(tmp_path, line, what):
    (tmp_path / "x.jsonl").write_text(line + "\n")
    with pytest.raises(BadInput, match=what):
        read_span_labels(tmp_path / "x.jsonl")


def test_proto_roles_are_properties_above_0_of_words_of_the_treebank(tmp_path):
    path = treebank(tmp_path, 4)
    roles = tmp_path / "roles.jsonl"
    held = '{"instigation": [1.3, 1.0], "volition": [-0.1, 1.0]}'
    line = f'{{"split": "train", "sent_id": "s1", "pred": 3, "arg": 2, "props": {held}}}\n'
    roles.write_text(line)
    (part,) = read_proto_roles(roles, [path]).values()
    assert part.texts == [read_tags(path).texts[1]]
    assert part.targets == [Target(0, ((2, 3), (1, 2)), ("instigation",))]
    roles.write_text(line.replace('"arg": 2', '"arg": 9'))
    with pytest.raises(BadInput, match="no such words"):
        read_proto_roles(roles, [path])
    roles.write_text("{}\n")
    with pytest.raises(BadInput, match="no pair with its properties"):
        read_proto_roles(roles, [path])
