"""A file with two columns of one name is refused by whatever reads it, in the same words."""

import pyarrow as pa
import pytest
from pyarrow import parquet

from wordworth.errors import BadInput
from wordworth.text.file_formats.read import iterate_texts, read_rows

FILES = {
    "a.csv": "text,label,text\none,x,two\n",
    "a.tsv": "text\tlabel\ttext\none\tx\ttwo\n",
    "label.csv": "label,text,label\nx,one,y\n",
}


@pytest.fixture(params=[*FILES, "a.parquet"])
def doubled(request, tmp_path):
    path = tmp_path / request.param
    if path.suffix == ".parquet":
        columns = [pa.array([value]) for value in ("one", "x", "two")]
        parquet.write_table(pa.Table.from_arrays(columns, names=["text", "label", "text"]), path)
    else:
        path.write_text(FILES[request.param])
    return path


def test_a_streamed_file_with_two_columns_of_one_name_is_refused(doubled):
    with pytest.raises(BadInput, match=r"two columns are named '(text|label)'"):
        list(iterate_texts(doubled, "text"))


def test_a_table_with_two_columns_of_one_name_is_refused_in_the_same_words(doubled):
    with pytest.raises(BadInput, match=r"two columns are named '(text|label)'"):
        read_rows(doubled)
