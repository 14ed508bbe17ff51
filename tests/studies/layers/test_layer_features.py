"""What probes read: the states of the words in spans, once for all tasks on the same words."""

import numpy as np
import pytest
import torch
from tests.studies.layers.small_files import spans, treebank

from wordworth.models.load import load
from wordworth.progress import STILL
from wordworth.studies.layers import layer_features
from wordworth.studies.layers.layer_features import LayerFeatures
from wordworth.studies.layers.span_file import read_dependencies, read_span_labels, read_tags
from wordworth.studies.layers.span_task import span_task


@pytest.fixture(scope="module")
def encoder():
    return load("mini")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("files")


def test_a_batch_has_the_states_of_the_words_of_its_spans(encoder, folder):
    task = span_task("s", "", {"all": read_span_labels(spans(folder))}, 40, 0)
    features = LayerFeatures.of(encoder, task, STILL)
    texts = task.parts[2][[3, 0]]
    batch = features.batch(texts, slice(1, 3), task.labels)
    for number, text in enumerate(texts):
        (target,) = task.targets_of(texts[[number]])
        states = encoder.word_states([task.texts[text]], pooling="mean").values[1:3].transpose(1, 0, 2)
        for side, (words, of) in enumerate(batch.sides):
            start, end = task.spans[target, side]
            own = batch.states[words[of == number]]
            assert torch.allclose(own, torch.from_numpy(states[start:end].copy()), atol=0.02)
        assert batch.labels[number].tolist() == task.labels[target].tolist()
    assert features.layers == 5
    assert features.values.shape[0] < sum(len(text) for text in task.texts)  # only words in spans are kept


def test_layers_are_scaled_to_one_size(encoder, folder):
    task = span_task("s", "", {"all": read_span_labels(spans(folder))}, 40, 0)
    features = LayerFeatures.of(encoder, task, STILL)
    size = (features.values.double() * features.scale[:, None]).square().mean((0, 2)).sqrt()
    assert size.tolist() == pytest.approx([1] * 5, abs=1e-2)


def test_tasks_on_the_same_words_share_one_pass(encoder, folder, monkeypatch):
    path = treebank(folder)
    tags, relations = (
        span_task(name, "", {"all": read(path)}, 60, 0)
        for name, read in (("pos", read_tags), ("dep", read_dependencies))
    )
    first = LayerFeatures.of(encoder, tags, STILL)
    fresh = LayerFeatures.of(encoder, relations, STILL)
    monkeypatch.setattr(layer_features, "_states", None)  # a second pass would fail
    shared = LayerFeatures.of(encoder, relations, STILL, first)
    assert shared.values is first.values
    batches = [each.batch(relations.parts[0][:5], slice(0, 5), relations.labels) for each in (shared, fresh)]
    assert all(torch.equal(a, b) for a, b in zip(batches[0].sides[1], batches[1].sides[1], strict=True))
    assert torch.equal(batches[0].states, batches[1].states)


def test_whole_texts_are_their_means_however_long(encoder):
    texts = [f"text {number} " * (1 if number else 400) for number in range(60)]
    from wordworth.studies.layers.span_file import SpanFile, Target

    targets = [Target(number, ((0, 1),), (str(number % 2),)) for number in range(60)]
    task = span_task("t", "", {"all": SpanFile(texts, range(60), targets, "f", "")}, 60, 0)
    features = LayerFeatures.of(encoder, task, STILL)
    row = int(features.rows[0, 0]) if 0 in np.concatenate(task.parts) else None
    assert features.values.shape[0] == sum(map(len, task.parts))
    if row is not None:
        assert np.allclose(features.values[row].float(), encoder.pooled_layers(texts[:1])[0], atol=0.02)
