from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordworth.records import Finding
from wordworth.tasks.examples import Examples, Origin
from wordworth.tasks.formats.dataset_part import Part, joined, origin
from wordworth.text.read_compressed_file import read_raw


def part(name, rows, documents=None, **columns):
    texts = tuple(f"{name} {row}" for row in range(rows))
    examples = Examples(texts, documents=documents, **columns)
    return Part(examples, np.arange(rows), (Origin(name, "00", rows),), (Finding(f"warning.{name}", "Mind this."),))


@given(st.lists(st.integers(0, 5), min_size=1, max_size=5))
def test_parts_that_are_joined_have_the_rows_of_each_in_order(sizes):
    parts = [part(f"p{number}", size) for number, size in enumerate(sizes)]
    whole = joined(parts)
    assert len(whole) == sum(sizes)
    assert whole.examples.first == tuple(text for single_part in parts for text in single_part.examples.first)
    assert whole.labels.tolist() == [label for size in sizes for label in range(size)]
    assert [single_part.path for single_part in whole.origins] == [f"p{number}" for number in range(len(sizes))]
    assert len(whole.notes) == len(sizes)


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=4).map(sorted), min_size=2, max_size=4))
def test_documents_of_different_parts_stay_different_and_those_of_one_part_the_same(columns):
    parts = [part("p", len(column), tuple(column)) for column in columns]
    numbers = joined(parts).examples.documents
    owners = [(place, number) for place, column in enumerate(columns) for number in column]
    assert len(set(zip(owners, numbers, strict=True))) == len(set(owners)) == len(set(numbers))
    assert list(numbers) == sorted(numbers)


def test_a_part_without_second_texts_has_empty_ones_beside_a_part_that_has_them():
    assert joined([part("a", 2), part("b", 1, second=("x",))]).examples.second == ("", "", "x")
    assert joined([part("a", 2), part("b", 1)]).examples.second is None


@pytest.mark.parametrize("column", ["ids", "words", "options"])
def test_what_only_some_parts_have_is_left_out(column):
    values = {"ids": ("i",), "words": (("w",),), "options": (("o", "p"),)}[column]
    both = joined([part("a", 1, **{column: values}), part("b", 1, **{column: values})])
    assert getattr(both.examples, column) == values * 2
    assert getattr(joined([part("a", 1, **{column: values}), part("b", 1)]).examples, column) is None


def test_labels_of_sentences_stay_one_array_a_sentence():
    tagged = [Part(Examples(("a b",)), (np.array([0, number]),), ()) for number in range(3)]
    labels = joined(tagged).labels
    assert isinstance(labels, tuple)
    assert [tags.tolist() for tags in labels] == [[0, 0], [0, 1], [0, 2]]


def test_one_part_is_itself():
    single_part = part("a", 3)
    assert joined([single_part]) is single_part


def test_the_origin_of_a_file_is_its_path_its_hash_and_the_rows_that_were_read(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("text\na\n")
    file_origin = origin(read_raw(path), 1)
    assert Path(file_origin.path) == path
    assert file_origin.rows == 1
    assert len(file_origin.sha256) == 64
