"""A fine-tuned folder is what transformers (or sentence-transformers) loads, with the same logits."""

import numpy as np
import pytest
import torch
from tests.models.tiny import write_tiny
from tests.training.finetuning.test_checkpoint import facts_of
from tests.training.finetuning.test_trainer import EAGER, begun

from wordworth.models.read_encoder import read_encoder
from wordworth.training.finetuning.checkpoint import save_finetuned

pytestmark = pytest.mark.peers
FAMILIES = ["bert", "roberta", "xlm-roberta", "distilbert", "mpnet"]
CLASSES = {
    "single": "AutoModelForSequenceClassification",
    "regression": "AutoModelForSequenceClassification",
    "choice": "AutoModelForMultipleChoice",
    "tags": "AutoModelForTokenClassification",
    "span": "AutoModelForQuestionAnswering",
}


def tuned(folder, kind, family, pooling):
    """A network after two steps, in a folder; float32, long enough for every text."""
    encoder = read_encoder(write_tiny(folder / "encoder", family, max_position_embeddings=130))
    config = type(EAGER)(steps=2, batch_size=8, learning_rate=1e-3, pooling=pooling, bf16=False)
    task, inputs, run = begun(encoder, kind, rows=9, config=config)
    run.loop.train(2)
    save_finetuned(folder / "model", encoder, run.tuned, facts_of(task, pooling))
    return inputs, run.tuned.scores(inputs), run.tuned.gold


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("kind", list(CLASSES))
def test_transformers_loads_the_head_with_equal_logits(tmp_path, kind, family):
    if family == "distilbert" and kind in {"single", "regression", "choice"}:
        pytest.skip("its head has another activation; its texts are pooled by their mean")
    import transformers

    inputs, scores, gold = tuned(tmp_path, kind, family, "pooler")
    model = getattr(transformers, CLASSES[kind]).from_pretrained(tmp_path / "model").eval()
    for tokens, ours in zip(inputs.tokens, scores, strict=True):
        given = {"input_ids": torch.from_numpy(tokens.ids)[None], "attention_mask": torch.ones(1, len(tokens))}
        if family == "bert":
            given["token_type_ids"] = torch.from_numpy(tokens.segments)[None]
        if kind == "choice":
            given = {name: value[None] for name, value in given.items()}
        with torch.no_grad():
            found = model(**given)
        theirs = torch.stack([found.start_logits, found.end_logits], -1) if kind == "span" else found.logits
        wanted = ours * gold.std + gold.mean if kind == "regression" else ours
        np.testing.assert_allclose(theirs.flatten(), wanted.ravel(), atol=2e-5, rtol=2e-5)


def test_names_of_classes_are_in_the_config(tmp_path):
    from transformers import AutoConfig

    tuned(tmp_path, "single", "bert", "pooler")
    config = AutoConfig.from_pretrained(tmp_path / "model")
    assert config.id2label == {0: "bad", 1: "good", 2: "mixed"}


@pytest.mark.parametrize("family", ["bert", "distilbert", "mpnet", "electra", "modernbert"])
def test_a_mean_over_tokens_loads_in_sentence_transformers_with_equal_scores(tmp_path, family):
    from sentence_transformers import SentenceTransformer

    from wordworth.testing.sample_tasks import sample_task

    _, scores, _ = tuned(tmp_path, "single", family, "mean")
    task = sample_task("single")
    texts = [task.examples.first[row] for row in task.train[:9]]
    theirs = SentenceTransformer(str(tmp_path / "model"), device="cpu").encode(texts)
    np.testing.assert_allclose(theirs, np.concatenate(scores), atol=1e-5)


def test_a_mean_over_tokens_has_no_class_in_transformers_and_is_its_encoder_mean_and_linear_layer(tmp_path):
    import transformers
    from safetensors.torch import load_file

    inputs, scores, _ = tuned(tmp_path, "single", "bert", "mean")
    folder = tmp_path / "model"
    drawn = transformers.AutoModelForSequenceClassification.from_pretrained(folder, output_loading_info=True)[1]
    assert {"classifier.weight", "classifier.bias"} <= set(drawn["missing_keys"])
    model, dense = (
        transformers.BertModel.from_pretrained(folder).eval(),
        load_file(folder / "2_Dense/model.safetensors"),
    )
    for tokens, ours in zip(inputs.tokens, scores, strict=True):
        given = {
            "input_ids": torch.from_numpy(tokens.ids)[None],
            "token_type_ids": torch.from_numpy(tokens.segments)[None],
        }
        with torch.no_grad():
            mean = model(**given).last_hidden_state[0].mean(0)
        theirs = dense["linear.weight"] @ mean + dense["linear.bias"]
        np.testing.assert_allclose(theirs, ours.ravel(), atol=2e-5, rtol=2e-5)
