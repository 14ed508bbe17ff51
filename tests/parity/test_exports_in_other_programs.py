"""What `export` writes is read by the programs that it is for, with the same numbers."""

import numpy as np
import pytest
from tests.inference.tuned_model import write_tuned
from tests.models.tiny import write_tiny

import wordworth as ww
from wordworth.inference.finetuned_run import read_run
from wordworth.models.int8_and_bit_vectors import Int8Ranges, to_bits
from wordworth.tasks.examples import Examples

pytestmark = pytest.mark.peers
TEXTS = ["the cat sat", "a", "the s, a s! the cat sat on it and sat"]


def run_graph(folder, tokens, output):
    """The output of a folder's graph in onnxruntime for texts that are padded to the longest."""
    onnxruntime = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])
    shape = (len(tokens), max(map(len, tokens)))
    feed = {name: np.zeros(shape, np.int64) for name in ("input_ids", "attention_mask", "token_type_ids")}
    for row, text in enumerate(tokens):
        feed["input_ids"][row, : len(text)] = text.ids
        feed["attention_mask"][row, : len(text)] = 1
    known = {item.name for item in session.get_inputs()}
    return session.run([output], {name: values for name, values in feed.items() if name in known})[0]


def cosines(first, second):
    return (first * second).sum(1) / np.linalg.norm(first, axis=1) / np.linalg.norm(second, axis=1)


@pytest.mark.parametrize("family", ["bert", "distilbert", "roberta", "gpt2"])
def test_a_graph_gives_the_vectors_of_an_encoder(tmp_path, family):
    pytest.importorskip("onnx")
    encoder = ww.load(write_tiny(tmp_path / "encoder", family))
    folder = ww.export(tmp_path / "encoder", tmp_path / "graph", to="onnx")
    vectors = run_graph(folder, encoder.tokenizer.encode(TEXTS), "sentence_embedding")
    assert vectors == pytest.approx(encoder.encode(TEXTS), abs=1e-4)


@pytest.mark.parametrize("kind", ["single", "regression"])
def test_a_graph_gives_the_scores_of_a_fine_tuned_model(tmp_path, kind):
    pytest.importorskip("onnx")
    run = write_tuned(tmp_path, kind=kind, steps=10)
    network = read_run(run).network
    tuned = network.tuned.exact
    own = np.concatenate(tuned.scores(tuned.head.encode(network.reader, Examples(tuple(TEXTS)))))
    folder = ww.export(run, tmp_path / "graph", to="onnx")
    assert run_graph(folder, network.reader.tokenizer.encode(TEXTS), "logits") == pytest.approx(own, abs=1e-4)


def test_an_int8_graph_is_a_quarter_as_large_and_nearly_the_same():
    pytest.importorskip("onnx")
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        whole, small = (ww.export("mini", Path(folder) / to, to=to) for to in ("onnx", "int8"))
        sizes = [(folder / "model.onnx").stat().st_size for folder in (whole, small)]
        assert sizes[1] < 0.28 * sizes[0]
        encoder = ww.load("mini")
        texts = ["a dog barked at the postman", "what a wonderful film this was", "the bank of the river was steep"]
        vectors = run_graph(small, encoder.tokenizer.encode(texts), "sentence_embedding")
        assert cosines(vectors, encoder.encode(texts)).min() > 0.99


def test_a_folder_gives_its_vectors_in_sentence_transformers_in_float32_int8_and_bits(tmp_path):
    library = pytest.importorskip("sentence_transformers")
    from sentence_transformers.util.quantization import quantize_embeddings

    folder = ww.export("mini", tmp_path / "shared", to="sentence-transformers")
    own, ranges = ww.load("mini").encode(TEXTS), Int8Ranges.read(folder)
    theirs = library.SentenceTransformer(str(folder), device="cpu").encode(TEXTS)
    assert theirs == pytest.approx(own, abs=1e-5)
    limits = np.stack([ranges.low, ranges.high])
    inside = np.clip(theirs, ranges.low, ranges.high)
    codes = quantize_embeddings(inside, precision="int8", ranges=limits).astype(int)
    assert np.abs(codes - ranges.codes(own)).max() <= 1  # they cut the fraction off, where ours is rounded
    assert np.array_equal(quantize_embeddings(theirs, precision="ubinary"), to_bits(theirs))


def test_the_encoder_of_a_fine_tuned_model_is_a_folder_of_sentence_transformers(tmp_path):
    library = pytest.importorskip("sentence_transformers")
    run = write_tuned(tmp_path, steps=5)
    folder = ww.export(run, tmp_path / "shared", to="sentence-transformers")
    theirs = library.SentenceTransformer(str(folder), device="cpu").encode(TEXTS)
    assert theirs == pytest.approx(ww.load(folder).encode(TEXTS), abs=1e-5)


def test_a_table_loads_in_model2vec_with_the_same_vectors(tmp_path):
    library = pytest.importorskip("model2vec")
    folder = ww.export("mini", tmp_path / "table", to="model2vec")
    theirs = library.StaticModel.from_pretrained(str(folder)).encode(TEXTS)
    assert theirs == pytest.approx(ww.load(folder).encode(TEXTS), abs=1e-5)
