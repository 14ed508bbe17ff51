"""A student begins as transformers' own model cut to its first layers, and its losses are those of plain torch."""

import numpy as np
import pytest
import torch
from tests.inference.tuned_model import write_rows, write_tuned

from wordworth.inference.finetuned_run import read_run
from wordworth.studies.distill import distill
from wordworth.studies.distill.student_runs import TeacherAndStudent
from wordworth.testing.sample_tasks import sample_task

pytestmark = pytest.mark.peers


def logits_of(model, inputs):
    for tokens in inputs.tokens:
        ids, segments = (torch.from_numpy(part)[None] for part in (tokens.ids, tokens.segments))
        with torch.no_grad():
            yield model(input_ids=ids, token_type_ids=segments).logits.numpy()


def test_the_start_is_the_truncated_model_of_transformers(tmp_path):
    import transformers

    run = write_tuned(tmp_path, pooling="pooler")
    pair = TeacherAndStudent(read_run(run), str(run), 1)
    load = transformers.AutoModelForSequenceClassification.from_pretrained
    truncated = load(run, num_hidden_layers=1).eval()
    inputs = pair.inputs(sample_task("single")).take(np.arange(8))
    for ours, theirs in zip(pair.start.exact.scores(inputs), logits_of(truncated, inputs), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)


def test_a_student_is_loaded_by_transformers_with_equal_logits(tmp_path):
    import transformers

    run, rows = write_tuned(tmp_path, pooling="pooler"), write_rows(tmp_path / "train.csv", sample_task("single"))
    distill(run, tmp_path / "small", data=rows, layers=1, method="kd", compare="", seeds=1, epochs=1, processes=1)
    network = read_run(tmp_path / "small").network
    model = transformers.AutoModelForSequenceClassification.from_pretrained(tmp_path / "small" / "model").eval()
    inputs = network.tuned.head.encode(network.reader, sample_task("single").examples).take(np.arange(8))
    for ours, theirs in zip(network.tuned.exact.scores(inputs), logits_of(model, inputs), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)
