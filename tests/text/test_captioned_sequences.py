"""Sequences of features with captions: what a table says, and what is refused with its row."""

import pytest

from wordworth.errors import BadInput
from wordworth.text.captioned_sequences import read_captioned

HEADER = "start,end,text,group,part\n"


def written(folder, text):
    (folder / "t.csv").write_text(text, encoding="utf-8")
    return folder / "t.csv"


def test_a_row_is_a_sequence(tmp_path):
    read = read_captioned(written(tmp_path, f"{HEADER}0,3,one two,ann,train\n3,4,two,bob,test\n"), 4)
    assert read.bounds.tolist() == [[0, 3], [3, 4]]
    assert (read.texts, read.groups, read.parts) == (("one two", "two"), ("ann", "bob"), ("train", "test"))
    assert read.audio == ("", "")
    assert read_captioned(written(tmp_path, "start,end,text,group\n0,3,one,ann\n"), 4).parts is None


def test_a_sequence_may_have_words_alone_or_features_alone(tmp_path):
    rows = "0,3,one two,ann,train\n,,one,bob,train\n3,4,,cat,train\n"
    read = read_captioned(written(tmp_path, HEADER + rows), 4)
    assert read.bounds.tolist() == [[0, 3], [0, 0], [3, 4]]
    assert read.words_alone.tolist() == [False, True, False]
    assert read.codes_alone.tolist() == [False, False, True]
    assert read.paired.tolist() == [True, False, False]


def test_numbers_of_a_column_with_empty_cells_are_read_as_pandas_writes_them(tmp_path):
    read = read_captioned(written(tmp_path, f"{HEADER}0.0,3.0,one,ann,train\n,,one,ann,train\n"), 4)
    assert read.bounds.tolist() == [[0, 3], [0, 0]]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (",,,ann,train", "line 2: a sequence without words and features"),
        ("0,,one,ann,train", "line 2: '' is no row of features"),
        ("0.5,3,one,ann,train", "line 2: '0.5' is no row of features"),
        ("nan,3,one,ann,train", "line 2: 'nan' is no row of features"),
        ("0,3,one,,train", "line 2: a sequence without a group"),
        ("2,2,one,ann,train", "line 2: an empty sequence"),
        ("0,9,one,ann,train", "line 2: the sequence ends before row 9"),
        (f"1,{10**30 + 1},one,ann,train", f"line 2: the sequence ends before row {10**30 + 1}, and there are 4 rows"),
        ("0,3,one,ann,dev", "line 2: no part 'dev'"),
        ("0,3,one,ann,train\n0,3,one,ann,test", "line 3: group 'ann' stands in two parts"),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_row(tmp_path, row, message):
    with pytest.raises(BadInput, match=message):
        read_captioned(written(tmp_path, f"{HEADER}{row}\n"), 4)
