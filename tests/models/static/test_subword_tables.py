"""Tables of subword vectors in the format of model2vec."""

import json

import numpy as np
import pytest
from safetensors.numpy import save_file
from tokenizers import Tokenizer, models, pre_tokenizers

from wordworth.errors import BadInput, ZeroVectorWarning
from wordworth.models.static.read_static_table import read_static

WORDS = ["the", "film", "was", "good"]
VECTORS = np.arange(12, dtype=np.float32).reshape(4, 3) / 8


def model2vec(folder, *, normalize=True, tensors=None, words=("[UNK]", *WORDS)):
    tokenizer = Tokenizer(models.WordLevel({word: row for row, word in enumerate(words)}, unk_token="[UNK]"))  # noqa: S106 - no password
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps({"model_type": "model2vec", "normalize": normalize}))
    vectors = np.vstack([np.full((1, 3), 9, np.float32), VECTORS])
    save_file(tensors or {"embeddings": vectors}, folder / "model.safetensors")
    return str(folder)


def test_model2vec_leaves_unknown_words_out_and_normalises(tmp_path):
    with pytest.warns(ZeroVectorWarning, match="1 of 2 texts"):
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
