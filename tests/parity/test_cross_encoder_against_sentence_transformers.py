"""A model that was fine-tuned on pairs is a CrossEncoder of sentence-transformers, with the same scores."""

import numpy as np
import pytest
import torch
from tests.inference.tuned_model import write_tuned

import wordworth as ww
from wordworth.testing.sample_tasks import sample_task

pytestmark = pytest.mark.peers


@pytest.fixture(scope="module", params=["bert", "roberta"])
def run(request, tmp_path_factory):
    return write_tuned(tmp_path_factory.mktemp(request.param), request.param, "pair", pooling="pooler", steps=20)


def test_probabilities_of_pairs_are_those_of_its_logits(run):
    from sentence_transformers import CrossEncoder

    examples = sample_task("pair").examples
    pairs = list(zip(examples.first[:12], examples.second[:12], strict=True))
    theirs = CrossEncoder(str(run), device="cpu", max_length=48).predict(pairs, activation_fn=torch.nn.Identity())
    probabilities = torch.from_numpy(theirs).softmax(-1).numpy()
    ours = ww.load_run(run, dtype="float32")
    rows = [{"text": first, "text_b": second} for first, second in pairs]
    answers = ww.predict(run, rows, dtype="float32")
    for number, label in enumerate(ours.classes):
        own = answers[f"probability_{label}"]
        assert own.to_numpy() == pytest.approx(probabilities[:, number], abs=2e-4)
    query, relevant = pairs[0][0], ours.classes[1]
    ranked = ours.rerank(query, [second for _, second in pairs], relevant=relevant)
    same_query = [(query, second) for _, second in pairs]
    logits = CrossEncoder(str(run), device="cpu", max_length=48).predict(same_query, activation_fn=torch.nn.Identity())
    expected = torch.from_numpy(logits).softmax(-1).numpy()[:, 1]
    assert ranked["score"].sort_index().to_numpy() == pytest.approx(expected, abs=1e-5)
    assert np.std(expected) > 1e-4
