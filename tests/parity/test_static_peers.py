"""WordLlama 0.4.0, model2vec 0.10.0 and gensim 4.4.0 give the same numbers for the same files."""

import importlib
import sys
from types import ModuleType

import numpy as np
import pytest
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from wordworth.errors import BadInput
from wordworth.models.static.read_static_table import read_static
from wordworth.sources import resolve

pytestmark = pytest.mark.peers
TEXTS = ["A film that was made well.", "naïve café 🙂", "x", "don't\nstop", "北京 is a city", "word " * 40]


def files(name):
    try:
        return resolve(name)
    except BadInput as missing:
        pytest.skip(str(missing))


@pytest.mark.filterwarnings("ignore")
def test_wordllama_gives_what_its_own_package_gives(monkeypatch):
    """Its `__init__` asks for packages that its `inference` does without, so that one is stepped over."""
    source, ours = files("wordllama"), read_static("wordllama").encode(TEXTS)
    bare = ModuleType("wordllama")
    bare.__path__ = [str(source.folder)]
    monkeypatch.setitem(sys.modules, "wordllama", bare)
    inference = importlib.import_module("wordllama.inference")
    found = source.files
    weights = load_file(found["weights/l2_supercat_256.safetensors"])["embedding.weight"]
    tokenizer = Tokenizer.from_file(str(found["tokenizers/l2_supercat_tokenizer_config.json"]))
    theirs = inference.WordLlamaInference(weights, tokenizer).embed(TEXTS)
    assert np.abs(ours - theirs).max() < 1e-5


@pytest.mark.filterwarnings("ignore::wordworth.errors.ZeroVectorWarning")
@pytest.mark.parametrize("normalize", [True, False])
def test_model2vec_gives_what_its_own_package_gives(tmp_path, normalize):
    model2vec = pytest.importorskip("model2vec")
    from tokenizers import models, normalizers, pre_tokenizers

    words = ["[UNK]", "a", "film", "that", "was", "made", "well", ".", "don", "'", "t", "stop", "word"]
    tokenizer = Tokenizer(models.WordPiece({word: row for row, word in enumerate(words)}, unk_token="[UNK]"))  # noqa: S106 - no password
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizers.Lowercase(), pre_tokenizers.BertPreTokenizer()
    vectors = np.random.default_rng(0).normal(size=(len(words), 8)).astype(np.float32)
    peer = model2vec.StaticModel(vectors, tokenizer, normalize=normalize)
    peer.save_pretrained(tmp_path)
    assert np.abs(read_static(str(tmp_path)).encode(TEXTS) - peer.encode(TEXTS)).max() < 1e-6


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("binary", [True, False])
def test_word2vec_files_are_read_as_gensim_writes_them(tmp_path, binary):
    keyed = pytest.importorskip("gensim.models.keyedvectors")
    words = ["the", "café", "北京", "New_York"]
    peer = keyed.KeyedVectors(6)
    peer.add_vectors(words, np.random.default_rng(0).normal(size=(4, 6)).astype(np.float32))
    path = tmp_path / ("v.bin" if binary else "v.txt")
    peer.save_word2vec_format(str(path), binary=binary)
    vectors, known = read_static(str(path)).word_vectors(words)
    assert known.all()
    assert np.abs(vectors - np.stack([peer[word] for word in words])).max() < 1e-6
