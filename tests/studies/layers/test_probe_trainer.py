"""Probes that are trained and measured: micro F1 is scikit-learn's, and beside a short version of edge probing."""

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score
from tests.studies.layers.small_files import spans, treebank
from tests.studies.new_parts import new_parts
from torch.nn import functional

from wordworth.models.load import load
from wordworth.progress import STILL
from wordworth.studies.layers.layer_features import LayerFeatures
from wordworth.studies.layers.probe_trainer import Counts, ProbeTrainer, f1_draws
from wordworth.studies.layers.span_file import SpanFile, Target, read_span_labels, read_tags
from wordworth.studies.layers.span_task import span_task


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """An edge probe of all layers on texts with several labels each, its trainer, and what it predicts."""
    file = read_span_labels(spans(tmp_path_factory.mktemp("files"), 120))
    targets = [Target(each.text, each.spans, (*each.labels, *("b" if each.text % 3 else ()))) for each in file.targets]
    task = span_task("t", "", {"all": SpanFile(file.texts, file.documents, targets, file.name, file.sha256)}, 200, 0)
    trainer = ProbeTrainer(task, LayerFeatures.of(load("mini"), task, STILL), 0, "own", STILL, new_parts())
    return trainer, trainer.edge(4)


def test_micro_f1_is_scikit_learns_of_a_short_version_of_the_probe(trained):
    trainer, probe = trained
    task, test = trainer.task, trainer.task.parts[2]
    encoder = load("mini")
    shares = probe.mix.shares.detach() * probe.mix.gamma.detach() * trainer.features.scale
    gold, predicted = [], []
    with torch.inference_mode():
        for text in test:
            (target,) = task.targets_of(np.array([text]))
            states = torch.from_numpy(
                encoder.word_states([task.texts[text]], pooling="mean").values.transpose(1, 0, 2).copy()
            )
            mix, pooled = torch.einsum("nld,l->nd", states, shares), []
            for side, (start, end) in enumerate(task.spans[target]):
                projected = probe.projections[side](mix[start:end])
                pooled.append((probe.attention[side](projected).softmax(0) * projected).sum(0))
            hidden = functional.layer_norm(torch.tanh(probe.hidden(torch.cat(pooled))), (256,))
            predicted.append((torch.sigmoid(probe.output(hidden)) > 0.5).numpy())
            gold.append(task.labels[target])
    counts = trainer.counts(probe, slice(0, 5), test)
    assert counts.f1 == pytest.approx(f1_score(np.array(gold), np.array(predicted), average="micro"), abs=0.01)
    assert not task.exclusive


def test_with_one_label_each_it_is_accuracy_and_a_linear_probe_is_near_scikit_learns(tmp_path):
    task = span_task("pos", "", {"all": read_tags(treebank(tmp_path))}, 200, 0)
    features = LayerFeatures.of(load("mini"), task, STILL)
    trainer = ProbeTrainer(task, features, 0, "own", STILL, new_parts())
    probe = trainer.linear(slice(2, 3))
    x, y = [], []
    for part in (task.parts[0], task.parts[2]):
        batch = features.batch(part, slice(2, 3), task.labels)
        x.append(batch.states[batch.sides[0][0], 0].numpy())
        y.append(batch.labels.argmax(1).numpy())
    theirs = LogisticRegression(max_iter=500).fit(x[0], y[0]).score(x[1], y[1])
    assert trainer.counts(probe, slice(2, 3), task.parts[2]).f1 == pytest.approx(theirs, abs=0.03)
    only = np.zeros(len(task.labels), bool)
    assert trainer.counts(probe, slice(2, 3), task.parts[2], only=only).f1 == 0  # nothing counts


def test_the_same_seed_trains_the_same_probe_and_another_seed_another(trained):
    trainer, probe = trained
    again, other = trainer.edge(4), trainer.edge(4, repeat=1)
    assert all(torch.equal(a, b) for a, b in zip(probe.parameters(), again.parameters(), strict=True))
    assert not torch.equal(probe.output.weight, other.output.weight)


def test_draws_of_micro_f1_are_paired_and_centred():
    rng = np.random.default_rng(0)
    named = rng.integers(2, 9, 200).astype(float)
    counts = [Counts(np.floor(share * named), named) for share in (0.5, 0.9)]
    drawn = f1_draws([*counts, counts[0]], 2_000, np.random.default_rng(1))
    assert drawn.mean(0)[:2] == pytest.approx([each.f1 for each in counts], abs=0.005)
    assert (drawn[:, 0] == drawn[:, 2]).all()
