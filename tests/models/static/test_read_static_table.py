"""Every form of a table of vectors gives the same table."""

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


def test_every_form_gives_the_same_table(table):
    vectors, known = table.word_vectors(["good", "the", "zebra"])
    assert vectors[:2].tolist() == VECTORS[[3, 0]].tolist()
    assert known.tolist() == [True, True, False]
    assert (len(table), table.width) == (4, 3)
    assert table.encode(["The film"])[0].tolist() == VECTORS[:2].mean(0).tolist()
    assert table.disk_bytes > 0


@pytest.mark.parametrize(("name", "said"), [("v.gz", "unpack it first"), ("v.csv", "give GloVe text")])
def test_an_unknown_form_says_which_are_known(tmp_path, name, said):
    with pytest.raises(BadInput, match=said):
        read_static(write(tmp_path / name, "x"))
