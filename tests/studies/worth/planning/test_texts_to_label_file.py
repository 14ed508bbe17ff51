"""The file of texts to label is written whole, and one that may hold labels is never replaced."""

import pytest

from wordworth.errors import BadInput
from wordworth.records import Table
from wordworth.studies.worth.planning.texts_to_label_file import require_no_labels, write_texts
from wordworth.text.file_formats.read import read_rows

TABLE = Table({"text": ['a, "b"', "c\nd"], "label": ["", ""], "row": [4, 2], "sampling_weight": [1.5, 2.0]}, {})


def test_the_file_reads_as_it_was_written(tmp_path):
    write_texts(tmp_path, TABLE)
    cells = read_rows(tmp_path / "to_label.csv").columns
    assert cells["text"] == ['a, "b"', "c\nd"]
    assert cells["sampling_weight"] == ["1.5", "2.0"]
    assert cells["label"] == ["", ""]


def test_a_file_that_may_hold_labels_stays(tmp_path):
    require_no_labels(None)
    require_no_labels(tmp_path)
    write_texts(tmp_path, TABLE)
    with pytest.raises(BadInput, match=r"to_label\.csv: this file of texts to label is there already, .* give another"):
        require_no_labels(tmp_path)
