"""Kocijan's margin loss, and a model that learned by it, against BertForMaskedLM of transformers."""

import numpy as np
import pytest
import torch
from tests.models.language_models import write_language_model
from tests.training.finetuning.made_pronouns import made_pronouns
from tests.training.finetuning.test_checkpoint import facts_of

from wordworth.models.language_model import language_model
from wordworth.models.read_encoder import read_encoder
from wordworth.tasks.examples import Examples
from wordworth.training.finetuning.checkpoint import save_finetuned
from wordworth.training.finetuning.trainer import FineTuningConfig, FineTuningRun
from wordworth.training.task_heads import MaskedCandidateHead
from wordworth.training.task_heads.base import InputReader

transformers = pytest.importorskip("transformers")
pytestmark = pytest.mark.peers
EXAMPLES = Examples(("a x b, as ", "the "), (" m.", " s ab."), options=(("a", "bab"), ("c d", "e", "fa")))
LABELS = np.array([1, 0])


def begun(encoder, examples, labels, steps=4):
    head = MaskedCandidateHead()
    head.attach(encoder)
    inputs = head.encode(InputReader(tokenizer=encoder.tokenizer, limit=24), examples)
    config = FineTuningConfig(
        steps=steps, batch_size=len(labels), learning_rate=1e-3, bf16=False, encoder_dropout=False
    )
    return FineTuningRun(encoder.model, head, inputs, head.targets(labels, inputs), config, 0), inputs


def theirs(model, tokenizer, examples, example):
    """Log P of each candidate of an example, by the method of the paper and nothing of ours."""
    logs = []
    for option in examples.options[example]:
        pieces = tokenizer(option, add_special_tokens=False)["input_ids"]
        text = examples.first[example] + " ".join([tokenizer.mask_token] * len(pieces)) + examples.second[example]
        given = tokenizer(text, return_tensors="pt")
        places = (given["input_ids"][0] == tokenizer.mask_token_id).nonzero()[:, 0]
        every = model(**given).logits[0].log_softmax(-1)
        logs.append(every[places, torch.tensor(pieces)].mean())
    return torch.stack(logs)


def test_loss_and_gradient_are_those_of_the_papers_equation(tmp_path):
    folder = write_language_model(tmp_path / "model", "bert")
    run, inputs = begun(read_encoder(folder), EXAMPLES, LABELS)
    units = np.arange(2)
    scores = run.network(inputs.batch(units))
    ours = run.head.loss(scores, run.gold, inputs, units).sum
    ours.backward()
    model = transformers.BertForMaskedLM.from_pretrained(folder).eval()
    tokenizer = transformers.BertTokenizerFast(vocab=str(folder / "vocab.txt"))
    expected = torch.zeros(())
    for example, right in enumerate(LABELS.tolist()):
        logs = theirs(model, tokenizer, EXAMPLES, example)
        expected = expected - logs[right]
        for wrong in set(range(len(logs))) - {right}:
            expected = expected + 5 * torch.clamp(logs[wrong] - logs[right] + 0.2, min=0)
    expected.backward()
    torch.testing.assert_close(ours, expected, rtol=1e-5, atol=1e-5)
    head, peer = run.network.output.head, model.cls.predictions
    for own, other in (
        (head.dense.weight, peer.transform.dense.weight),
        (head.bias, peer.bias),
        (run.network.trained_embedding.rows, model.bert.embeddings.word_embeddings.weight),
    ):
        torch.testing.assert_close(own.grad, other.grad, rtol=1e-4, atol=1e-5)


def test_what_was_learned_is_a_language_model_that_transformers_loads(tmp_path):
    encoder, task = read_encoder(write_language_model(tmp_path / "start", "bert")), made_pronouns(24)
    run, inputs = begun(encoder, task.examples.take(task.train), task.gold(task.train))
    run.loop.train(4)
    save_finetuned(tmp_path / "model", encoder, run.tuned, facts_of(task, None))
    model, report = transformers.AutoModelForMaskedLM.from_pretrained(tmp_path / "model", output_loading_info=True)
    assert not report["missing_keys"]
    assert not report["unexpected_keys"]
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path / "model")
    with torch.no_grad():
        expected = [theirs(model.eval(), tokenizer, task.examples, row).numpy() for row in task.train]
    np.testing.assert_allclose(run.tuned.predict(inputs), np.stack(expected), rtol=1e-4, atol=1e-5)
    assert language_model(tmp_path / "model").reads == "masked"
