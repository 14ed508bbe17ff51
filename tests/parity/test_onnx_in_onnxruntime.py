"""onnxruntime computes the scores of a pruned model from its graph, for every family, kind of task and pooling."""

import numpy as np
import pytest
from tests.inference.tuned_model import write_rows, write_tuned

from wordworth.inference.finetuned_run import read_run
from wordworth.studies.prune import prune
from wordworth.tasks.examples import Examples
from wordworth.testing.sample_tasks import sample_task

pytestmark = pytest.mark.peers
TEXTS = ["the cat sat", "a", "the s, a s! the cat sat on it and sat"]


def run_graph(folder, tokens):
    """Scores by onnxruntime of texts that are padded to the longest."""
    onnxruntime = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])
    shape = (len(tokens), max(map(len, tokens)))
    feed = {name: np.zeros(shape, np.int64) for name in ("input_ids", "attention_mask", "token_type_ids")}
    for row, text in enumerate(tokens):
        feed["input_ids"][row, : len(text)] = text.ids
        feed["attention_mask"][row, : len(text)] = 1
        feed["token_type_ids"][row, : len(text)] = text.segments
    known = {each.name for each in session.get_inputs()}
    return session.run(["logits"], {name: values for name, values in feed.items() if name in known})[0]


@pytest.mark.parametrize(
    ("family", "kind", "pooling"),
    [
        *((family, "single", "mean") for family in ("bert", "distilbert", "roberta", "mpnet", "electra", "gpt2")),
        *(("bert", "single", pooling) for pooling in ("pooler", "cls", "max", "lasttoken")),
        ("bert", "regression", "mean"),
        ("bert", "multilabel", "mean"),
    ],
)
def test_scores_are_those_of_the_folder(tmp_path, family, kind, pooling):
    pytest.importorskip("onnx")
    run = write_tuned(tmp_path, family=family, kind=kind, pooling=pooling, steps=10)
    if kind == "single":
        rows = write_rows(tmp_path / "rows.csv", sample_task(kind))
        prune(run, tmp_path / "small", heads=0.4, data=rows, limit=60, onnx=True)
    else:
        prune(run, tmp_path / "small", layers=1, onnx=True)
    read = read_run(tmp_path / "small")
    tuned = read.network.tuned
    inputs = tuned.head.encode(read.network.reader, Examples(tuple(TEXTS)))
    own = np.concatenate(list(type(tuned)(tuned.network, tuned.network, tuned.head, tuned.gold).scores(inputs)))
    found = run_graph(tmp_path / "small", read.encoder.tokenizer.encode(TEXTS))
    assert found == pytest.approx(own, abs=1e-4)


def test_scores_of_every_token(tmp_path):
    pytest.importorskip("onnx")
    prune(write_tuned(tmp_path, kind="tags", steps=10), tmp_path / "small", layers=1, onnx=True)
    read = read_run(tmp_path / "small")
    tokens = read.encoder.tokenizer.encode(TEXTS)
    found = run_graph(tmp_path / "small", tokens)
    alone = [run_graph(tmp_path / "small", [text])[0] for text in tokens]
    for row, text in enumerate(tokens):
        assert found[row, : len(text)] == pytest.approx(alone[row], abs=1e-5)
