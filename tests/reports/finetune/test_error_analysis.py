import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reports.finetune_record import pictured, pointed_at, record, table

from wordworth.reports import render
from wordworth.reports.finetune.error_analysis import classes, groups
from wordworth.reports.finetune.record_view import FinetuneView


def test_the_confusion_matrix_is_drawn_with_its_counts_and_shares():
    page = render(record())
    drawings, cells = pictured(page, "confusion")
    for drawing in drawings:
        assert [one.text for one in drawing if "count" in one.attributes.get("class", "")] == ["9", "4"]
        assert sum(one.name == "rect" for one in drawing) == 4
    assert pointed_at(page, "confusion") == {
        "gold x, predicted x": ["9, 69.2 % of 13"],
        "gold x, predicted y": ["4, 30.8 % of 13"],
        "gold y, predicted x": ["0, no example has this label"],
        "gold y, predicted y": ["0, no example has this label"],
    }
    assert cells == ["y", "4"]


def test_marks_stand_in_the_text_where_entities_are():
    marks = json.dumps([[0, 5, "both", "LOC"], [9, 13, "gold", "ORG"]])
    row = {"which": "wrong", "row": 0, "text": "Paris in Rome", "second": "", "gold": "", "predicted": "",
           "confidence": None, "marks": marks}  # fmt: skip
    page = render(record(tables={"examples": table(row)}))
    assert '<mark class="right">Paris<sub>LOC</sub></mark> in <mark class="missed">Rome<sub>ORG</sub></mark>' in page
    assert '<mark class="missed">missed</mark>' in page


@pytest.mark.parametrize(("kind", "first"), [("pair", "one text"), ("choice", "its other")])
def test_the_other_text_of_a_pair_stands_below_and_a_question_above(kind, first):
    example = {**record().tables["examples"].rows()[0], "text": "one text", "second": "its other"}
    page = render(record(data={**record().data, "kind": kind}, tables={"examples": table(example)}))
    places = {text: page.index(f">{text}<") for text in ("one text", "its other")}
    assert min(places, key=places.__getitem__) == first


@pytest.mark.parametrize("classes", [2, 16, 150])
def test_many_classes_give_a_table_of_mistakes_in_place_of_a_matrix(classes):
    names = [f"class {number}" for number in range(classes)]
    rows = [{"name": name, "precision": 1.0, "recall": 1.0, "f1": 1.0, "gold": 1, "predicted": 1} for name in names]
    page = render(
        record(
            tables={
                "classes": table(*rows),
                "confusion": table(
                    {"gold": names[0], "predicted": names[1], "count": 3},
                    *({"gold": n, "predicted": n, "count": 1} for n in names),
                ),
            }
        )
    )
    assert ("are too many for a matrix" in page) == (classes == 150)
    assert "“class 0” taken for “class 1”, 3 times" in page


SIDES = {(): "", ("gold",): "missed", ("predicted",): "wrong", ("both",): "right"}


@given(
    text=st.text("abc ", min_size=1, max_size=20),
    spans=st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20), st.sampled_from(["gold", "predicted", "both"]))),
)
def test_the_pieces_of_a_text_are_the_whole_text_and_each_character_has_the_mark_over_it(text, spans):
    """Against a plain look at every character; marks of several types that lie over each other count as gold."""
    marks = [[min(a, b), max(a, b), side, f"type {n}"] for n, (a, b, side) in enumerate(spans) if a != b]
    marks = [mark for mark in marks if mark[1] <= len(text)]
    row = {**record().tables["examples"].rows()[0], "text": text, "marks": json.dumps(marks)}
    (group,) = groups(FinetuneView.of(record(tables={"examples": table(row)})))
    pieces = group.examples[0].pieces
    assert "".join(piece.text for piece in pieces) == text
    sides = [piece.side for piece in pieces for _ in piece.text]
    for place, side in enumerate(sides):
        over = {mark[2] for mark in marks if mark[0] <= place < mark[1]}
        first = next(((name,) for name in ("both", "gold", "predicted") if name in over), ())
        assert side == SIDES[first]


def test_a_span_that_is_gold_and_predicted_with_one_type_is_right_and_with_two_is_missed():
    for kinds, side in ((("LOC", "LOC"), "right"), (("LOC", "ORG"), "missed")):
        marks = json.dumps([[0, 5, "gold", kinds[0]], [0, 5, "said", kinds[1]]])  # as earlier versions wrote it
        row = {**record().tables["examples"].rows()[0], "text": "Paris", "marks": marks}
        (piece,) = groups(FinetuneView.of(record(tables={"examples": table(row)})))[0].examples[0].pieces
        assert piece.side == side


def test_long_texts_begin_with_whole_words_and_short_ones_are_not_cut():
    row = record().tables["examples"].rows()[0]
    for text, folded in (("word " * 80, False), ("word " * 90, True)):
        example = groups(FinetuneView.of(record(tables={"examples": table({**row, "text": text})})))[0].examples[0]
        assert bool(example.beginning) == folded
        assert example.text == text
    assert text.startswith(example.beginning.removesuffix("…") + " ")


def test_examples_stand_under_what_they_are_and_without_confidences_the_least_confident_are_not_named():
    row = record().tables["examples"].rows()[0]
    rows = [{**row, "which": which} for which in ("unsure", "wrong", "right")]
    sure = groups(FinetuneView.of(record(tables={"examples": table(*rows)})))
    assert [group.title for group in sure] == [
        "Most confident and wrong", "Most confident and right", "Least confident",
    ]  # fmt: skip
    unsure = groups(FinetuneView.of(record(tables={"examples": table(*({**one, "confidence": None} for one in rows))})))
    assert len(unsure) == 2


def test_a_class_that_is_never_predicted_has_no_share_and_the_reason_for_it():
    row = {"name": "x", "precision": None, "recall": 0.25, "f1": 0.0, "gold": 4, "predicted": 0}
    cells = classes(FinetuneView.of(record(tables={"classes": table(row)}))).rows[0]
    assert [cell.text for cell in cells[2:]] == ["25.0", "0.0", "4", "0"]
    assert (cells[1].text, cells[1].why) == ("–", "never predicted or never gold")
