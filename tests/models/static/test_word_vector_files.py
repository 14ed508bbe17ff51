"""Files of word vectors, in text and binary, whole and broken."""

import struct

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from wordworth.errors import BadInput
from wordworth.models.static.read_static_table import read_static

WORDS = ["the", "film", "was", "good"]
VECTORS = np.arange(12, dtype=np.float32).reshape(4, 3) / 8


def lines(words=WORDS, vectors=VECTORS):
    return "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in zip(words, vectors, strict=True))


def binary(words=WORDS, vectors=VECTORS, count=None, newline=b"\n"):
    head = f"{count or len(words)} {vectors.shape[1]}\n".encode()
    return head + b"".join(
        word.encode() + b" " + row.astype("<f4").tobytes() + newline for word, row in zip(words, vectors, strict=True)
    )


def write(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


@pytest.fixture(params=["glove", "word2vec text", "fasttext", "word2vec binary", "no newlines", "npy and parquet"])
def table(request, tmp_path):
    if request.param == "npy and parquet":
        np.save(tmp_path / "v.npy", VECTORS)
        pq.write_table(pa.table({"index": WORDS}), tmp_path / "w.parquet")
        return read_static(str(tmp_path))
    contents = {
        "glove": ("v.txt", lines()),
        "word2vec text": ("v.txt", "4 3\n" + lines()),
        "fasttext": ("v.vec", "4 3\n" + lines().replace("\n", " \n")),
        "word2vec binary": ("v.bin", binary()),
        "no newlines": ("v.bin", binary(newline=b"")),
    }
    name, content = contents[request.param]
    return read_static(write(tmp_path / name, content))


def test_a_word_with_spaces_is_read_from_the_right(tmp_path):
    table = read_static(write(tmp_path / "v.txt", lines(["the", ". . .", "was", "good"])))
    assert table.word_vectors([". . ."])[0].tolist() == VECTORS[[1]].tolist()


def test_the_first_of_equal_words_counts(tmp_path):
    table = read_static(write(tmp_path / "v.txt", lines(["the", "the", "was", "good"])))
    assert table.word_vectors(["the"])[0].tolist() == VECTORS[[0]].tolist()


BROKEN_TEXT = [
    ("the 1 2 3\nfilm 1 2\n", "line 2: 2 numbers instead of 3"),
    ("the 1 2 3\nfilm 1 2 x\n", "line 2: not a number"),
    ("the 1 2 3\nfilm 1 nan 3\n", "line 2: this vector holds NaN"),
    ("3 3\nthe 1 2 3\nfilm 1 2 3\n", "header promises 3 vectors, the file holds 2"),
    ("2 4\nthe 1 2 3\nfilm 1 2 3\n", "3 numbers instead of 4"),
    ("", "no vectors"),
    (b"the 1 2\n\xff\xfe 1 2\n", "not UTF-8"),
]


@pytest.mark.parametrize(("content", "said"), BROKEN_TEXT)
def test_a_broken_text_file_is_refused_with_its_line(tmp_path, content, said):
    with pytest.raises(BadInput, match=said):
        read_static(write(tmp_path / "v.txt", content))


BROKEN_BINARY = [
    (binary()[:-9], "ends in vector 4"),
    (binary(count=5), "promises 5 vectors of 3"),
    (binary(count=3), "bytes follow the 3 vectors"),
    (b"no header\n", "no word2vec header"),
    (b"0 3\n", "no word2vec header"),
    (struct.pack("<ii", 793712314, 12) + b"\n", "fastText's own binary"),
]


@pytest.mark.parametrize(("content", "said"), BROKEN_BINARY)
def test_a_broken_binary_is_refused(tmp_path, content, said):
    with pytest.raises(BadInput, match=said):
        read_static(write(tmp_path / "v.bin", content))


def test_nan_in_a_binary_is_found_when_the_vector_is_used(tmp_path):
    vectors = VECTORS.copy()
    vectors[1, 1] = np.nan
    table = read_static(write(tmp_path / "v.bin", binary(vectors=vectors)))
    assert np.isfinite(table.encode(["the good"])).all()
    with pytest.raises(BadInput, match="NaN"):
        table.encode(["the film"])


def test_words_and_vectors_of_different_numbers_are_refused(tmp_path):
    np.save(tmp_path / "v.npy", VECTORS)
    pq.write_table(pa.table({"index": WORDS[:3]}), tmp_path / "w.parquet")
    with pytest.raises(BadInput, match=r"3 words, but v\.npy has 4 vectors"):
        read_static(str(tmp_path))


def test_a_truncated_array_is_refused(tmp_path):
    np.save(tmp_path / "v.npy", VECTORS)
    whole = (tmp_path / "v.npy").read_bytes()
    (tmp_path / "v.npy").write_bytes(whole[:-5])
    pq.write_table(pa.table({"index": WORDS}), tmp_path / "w.parquet")
    with pytest.raises(BadInput, match="not a readable array"):
        read_static(str(tmp_path))
