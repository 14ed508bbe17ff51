import json
import struct

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, pre_tokenizers

from wordworth.errors import BadInput
from wordworth.models.static.read import read_static

WORDS = ["the", "film", "was", "good"]
VECTORS = np.arange(12, dtype=np.float32).reshape(4, 3) / 8


def lines(words=WORDS, vectors=VECTORS):
    return "".join(f"{word} {' '.join(map(str, row))}\n" for word, row in zip(words, vectors, strict=True))


def binary(words=WORDS, vectors=VECTORS, count=None, newline=b"\n"):
    head = f"{count or len(words)} {vectors.shape[1]}\n".encode()
    return head + b"".join(
        word.encode() + b" " + row.astype("<f4").tobytes() + newline for word, row in zip(words, vectors, strict=True)
    )


def model2vec(folder, *, normalize=True, tensors=None, words=("[UNK]", *WORDS)):
    tokenizer = Tokenizer(models.WordLevel({word: row for row, word in enumerate(words)}, unk_token="[UNK]"))  # noqa: S106 - no password
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps({"model_type": "model2vec", "normalize": normalize}))
    vectors = np.vstack([np.full((1, 3), 9, np.float32), VECTORS])
    save_file(tensors or {"embeddings": vectors}, folder / "model.safetensors")
    return str(folder)


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


def test_a_word_with_spaces_is_read_from_the_right(tmp_path):
    table = read_static(write(tmp_path / "v.txt", lines(["the", ". . .", "was", "good"])))
    assert table.word_vectors([". . ."])[0].tolist() == VECTORS[[1]].tolist()


def test_the_first_of_equal_words_counts(tmp_path):
    table = read_static(write(tmp_path / "v.txt", lines(["the", "the", "was", "good"])))
    assert table.word_vectors(["the"])[0].tolist() == VECTORS[[0]].tolist()


def test_model2vec_leaves_unknown_words_out_and_normalises(tmp_path):
    found = read_static(model2vec(tmp_path)).encode(["film zebra good", "zebra"])
    mean = VECTORS[[1, 3]].mean(0)
    assert found[0] == pytest.approx(mean / np.linalg.norm(mean))
    assert found[1].tolist() == [0, 0, 0]


def test_model2vec_weights_and_mappings_are_used(tmp_path):
    tensors = {
        "embeddings": VECTORS,
        "mapping": np.array([0, 3, 2, 1, 0]),
        "weights": np.array([1, 1, 2, 1, 1], dtype=np.float32),
    }
    found = read_static(model2vec(tmp_path, normalize=False, tensors=tensors)).encode(["film the"])
    assert found[0] == pytest.approx((2 * VECTORS[2] + VECTORS[3]) / 2)


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


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda folder: (folder / "model.safetensors").write_bytes(b"\x80\x04pickle"), "not a readable safetensors"),
        (lambda folder: (folder / "tokenizer.json").write_text("{}"), "not a tokenizer"),
        (lambda folder: save_file({"other": VECTORS}, folder / "model.safetensors"), "no embeddings among"),
        (lambda folder: save_file({"embeddings": VECTORS}, folder / "model.safetensors"), "5 tokens, the table 4 rows"),
    ],
)
def test_a_damaged_model2vec_folder_is_refused(tmp_path, spoil, said):
    folder = model2vec(tmp_path)
    spoil(tmp_path)
    with pytest.raises(BadInput, match=said):
        read_static(folder)


@pytest.mark.parametrize(("name", "said"), [("v.gz", "unpack it first"), ("v.csv", "give GloVe text")])
def test_an_unknown_form_says_which_are_known(tmp_path, name, said):
    with pytest.raises(BadInput, match=said):
        read_static(write(tmp_path / name, "x"))
