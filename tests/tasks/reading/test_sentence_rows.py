"""Pairs and triples of texts are read from any table, with the columns that the user named or that are usual."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.training.sentences.sentence_files import labelled, write

from wordworth.errors import BadInput
from wordworth.tasks.reading.sentence_rows import SentenceColumns, read_sentences, with_positives
from wordworth.text.file_formats.in_memory import as_file

HEADERS = [
    "text_a,text_b,label",
    "sentence1,sentence2,score",
    "premise,hypothesis,label",
    "anchor,positive,label",
    "question,answer,label",
    "query,document,label",
    "Question1,Question2,label",
]


@pytest.mark.parametrize("header", HEADERS)
def test_usual_columns_are_chosen_and_said(tmp_path, header):
    read = read_sentences(write(tmp_path / "x.csv", header.split(","), [("a", "b", "1"), ("c", "d", "0")]))
    assert (read.first, read.second, read.third) == (("a", "c"), ("b", "d"), ("", ""))
    assert read.labels == ["1", "0"]
    assert all(repr(name) in read.notes[0].text for name in header.split(","))


def test_named_columns_are_taken_and_not_said(tmp_path):
    path = write(tmp_path / "x.csv", ["q", "a", "bad", "n"], [("a", "b", "c", "1")])
    read = read_sentences(path, SentenceColumns(text="q", text_b="a", text_c="bad", label="n"))
    assert (read.first, read.second, read.third, read.labels) == (("a",), ("b",), ("c",), ["1"])
    assert not read.notes


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"text": "no"}, "text column 'no' not found"),
        ({"text_b": "text_c"}, "second text column 'text_c' not found; did you mean"),
        ({"text": "no", "text_b": "text_b"}, "text column 'no' not found"),
        ({"label": "no"}, "label column 'no' not found"),
        ({"text_c": "text_a"}, "which columns hold the two texts"),
        ({"text": "text_a", "text_b": "text_a"}, "column 'text_a' cannot serve twice"),
    ],
)
def test_a_column_that_is_missing_or_serves_twice_is_refused(tmp_path, columns, message):
    path = write(tmp_path / "x.csv", ["text_a", "text_b", "label"], [("a", "b", "1")])
    with pytest.raises(BadInput, match=message):
        read_sentences(path, SentenceColumns(**columns))


@pytest.mark.parametrize("cell", ["", " nan"])
def test_a_missing_label_is_named_with_its_line(tmp_path, cell):
    read = read_sentences(write(tmp_path / "x.csv", ["text_a", "text_b", "label"], [("a", "b", "1"), ("c", "d", cell)]))
    with pytest.raises(BadInput, match=r"1 of 2 rows has no 'label' \(line 3\)"):
        _ = read.labels


def test_of_labelled_pairs_those_alike_are_taken_with_contradictions_as_third_texts(tmp_path):
    read = with_positives(read_sentences(labelled(tmp_path / "nli.csv", 20)), None)
    assert len(read) == 20
    assert all(second == f"{first} there" for first, second in zip(read.first, read.second, strict=True))
    assert all(read.third)
    assert read.notes[-1].numbers == {"rows": 20, "of": 60, "positive": "entailment", "hard_negatives": 20}


def test_of_two_labels_the_other_is_the_opposite_and_each_contradiction_serves_once(tmp_path):
    pairs = [("a", "b", "same"), ("a", "c", "same"), ("a", "x", "other"), ("d", "e", "same")]
    read = read_sentences(write(tmp_path / "x.csv", ["text_a", "text_b", "label"], pairs))
    assert with_positives(read, "SAME").third == ("x", "", "")
    with pytest.raises(BadInput, match="no label 'sane'; did you mean 'same'"):
        with_positives(read, "sane")


def test_rows_with_third_texts_or_without_labels_are_all_taken(tmp_path):
    triples = write(tmp_path / "x.csv", ["anchor", "positive", "negative"], [("a", "b", "c"), ("d", "e", "")])
    assert with_positives(read_sentences(triples), None).third == ("c", "")
    pairs = write(tmp_path / "y.csv", ["anchor", "positive"], [("a", "b")])
    assert len(with_positives(read_sentences(pairs), None)) == 1


TEXTS = st.text(min_size=1).filter(lambda text: text.strip() and "\x00" not in text)


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5))
def test_hostile_strings_arrive_as_they_are(pairs):
    with as_file([{"text_a": first, "text_b": second} for first, second in pairs]) as path:
        read = read_sentences(path)
    assert list(zip(read.first, read.second, strict=True)) == pairs


@given(st.sets(st.integers(0, 9), min_size=1))
def test_rows_are_taken_in_order_with_their_lines(taken):
    with as_file([{"text_a": f"a{row}", "text_b": "b", "label": str(row)} for row in range(10)]) as path:
        read = read_sentences(path).take(sorted(taken, reverse=True))
    assert read.labels == [str(row) for row in sorted(taken)]
    assert read.first == tuple(f"a{row}" for row in sorted(taken))
    assert read.table.position(0) == f"row {min(taken) + 1}"


def test_scores_in_two_notations_are_refused_by_the_line(tmp_path):
    cells = [("a", "b", "4"), ("c", "d", "12,5"), ("e", "f", "3.2")]
    read = read_sentences(write(tmp_path / "x.csv", ["text_a", "text_b", "score"], cells))
    with pytest.raises(BadInput, match=r"line 4: the score '3.2' is not written as those above it.*same decimal mark"):
        _ = read.scores


def test_rows_that_repeat_an_earlier_one_are_counted(tmp_path):
    cells = [("a", "b"), ("a", "c"), ("a", "b"), ("a", "b")]
    assert read_sentences(write(tmp_path / "x.csv", ["text_a", "text_b"], cells)).repeated == 2


def test_scores_where_labels_are_wanted_are_not_listed_but_lead_to_the_loss_of_scores(tmp_path):
    cells = [("a", str(n), f"{n / 4}") for n in range(20)]
    read = read_sentences(write(tmp_path / "x.csv", ["text_a", "text_b", "score"], cells))
    with pytest.raises(BadInput, match=r"'score' holds scores.*choose `loss` cosine, which learns from scores"):
        with_positives(read, None)


@pytest.mark.parametrize("cells", [["0", "1", "2.5", "4"], ["0", "1", "5", "inf"]], ids=["scores", "one is infinite"])
def test_of_scores_no_row_is_taken_for_the_label_1_unless_that_is_named(tmp_path, cells):
    pairs = [("a", str(number), cell) for number, cell in enumerate(cells)]
    read = read_sentences(write(tmp_path / "x.csv", ["text_a", "text_b", "score"], pairs))
    with pytest.raises(BadInput, match=r"'score' holds scores.*or name the label of texts alike with `positive`"):
        with_positives(read, None)
    assert with_positives(read, "1").second == ("1",)
