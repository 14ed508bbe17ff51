"""Heads set to zero and layers dropped make folders that transformers loads with equal logits; removed heads do not."""

import numpy as np
import pytest
import torch
from tests.inference.tuned_model import write_rows, write_tuned

from wordworth.inference.finetuned_run import read_run
from wordworth.studies.prune import prune
from wordworth.testing.sample_tasks import sample_task

pytestmark = pytest.mark.peers


FAMILIES = ["bert", "roberta", "xlm-roberta"]
"""Those whose class for sequences pools as ours do; DistilBERT's has another activation, GPT-2's reads a last token."""


def logits_of_transformers(folder, inputs, family):
    import transformers

    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    for tokens in inputs.tokens:
        given = {"input_ids": torch.from_numpy(tokens.ids)[None], "attention_mask": torch.ones(1, len(tokens))}
        if family == "bert":
            given["token_type_ids"] = torch.from_numpy(tokens.segments)[None]
        with torch.no_grad():
            yield model(**given).logits.numpy()


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("choices", [{"heads": 0.5, "as_zeros": True}, {"layers": 1}])
def test_folders_for_other_libraries_give_equal_logits(tmp_path, choices, family):
    run, rows = write_tuned(tmp_path, family, pooling="pooler"), write_rows(tmp_path / "dev.csv", sample_task("single"))
    data = {"data": rows, "limit": 60} if "heads" in choices else {}
    prune(run, tmp_path / "small", **choices, **data)
    network, task = read_run(tmp_path / "small").network, sample_task("single")
    inputs = network.tuned.head.encode(network.reader, task.examples.take(task.test[:8]))
    exact = type(network.tuned)(network.tuned.network, network.tuned.network, network.tuned.head, network.tuned.gold)
    for ours, theirs in zip(
        exact.scores(inputs), logits_of_transformers(tmp_path / "small", inputs, family), strict=True
    ):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-5)


@pytest.mark.parametrize("choices", [{"heads": 0.5, "as_zeros": True}, {"layers": 1}])
def test_of_a_mean_sentence_transformers_gives_equal_logits(tmp_path, choices):
    from sentence_transformers import SentenceTransformer

    run, rows = write_tuned(tmp_path, pooling="mean"), write_rows(tmp_path / "dev.csv", sample_task("single"))
    data = {"data": rows, "limit": 60} if "heads" in choices else {}
    prune(run, tmp_path / "small", **choices, **data)
    network, task = read_run(tmp_path / "small").network, sample_task("single")
    examples = task.examples.take(task.test[:8])
    inputs = network.tuned.head.encode(network.reader, examples)
    exact = type(network.tuned)(network.tuned.network, network.tuned.network, network.tuned.head, network.tuned.gold)
    theirs = SentenceTransformer(str(tmp_path / "small"), device="cpu").encode(list(examples.first))
    np.testing.assert_allclose(np.stack(list(exact.scores(inputs))).reshape(theirs.shape), theirs, rtol=0, atol=1e-5)


def test_transformers_refuses_a_model_without_its_heads(tmp_path):
    import transformers

    run, rows = write_tuned(tmp_path, pooling="pooler"), write_rows(tmp_path / "dev.csv", sample_task("single"))
    prune(run, tmp_path / "small", heads=0.5, data=rows, limit=60)
    with pytest.raises(RuntimeError):
        transformers.AutoModelForSequenceClassification.from_pretrained(tmp_path / "small")
