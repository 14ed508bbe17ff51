"""The few-shot rung beside setfit, on the same texts and encoder: the head, the number of updates, what they gain."""

import numpy as np
import pytest
from scipy.special import softmax
from tests.models.tiny import write_modules
from tests.representations.tiny_encoder import write_tiny_encoder

from wordworth import seeds
from wordworth.representations.few_shot import FewShot
from wordworth.representations.few_shot_settings import FewShotTraining
from wordworth.representations.rung import RunContext
from wordworth.testing.sample_tasks import sample_task

pytestmark = [pytest.mark.peers, pytest.mark.filterwarnings("default")]  # of setfit and what it imports, not ours
setfit = pytest.importorskip("setfit", exc_type=ImportError)
datasets = pytest.importorskip("datasets")

EACH, RATE = 40, 2e-3
SETTINGS = FewShotTraining(learning_rate=RATE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = write_tiny_encoder(tmp_path_factory.mktemp("tiny") / "tiny")
    write_modules(folder, None, "Normalize")
    return str(folder)


@pytest.fixture(scope="module")
def task():
    return sample_task("classification", 300)


@pytest.fixture(scope="module")
def rows(task):
    gold = np.asarray(task.gold(task.train))
    return np.sort(np.concatenate([task.train[gold == label][:EACH] for label in np.unique(gold)]))


def texts_of(task, rows) -> list[str]:
    return list(task.examples.take(rows).first)


def fitted(folder, task, rows, settings):
    return FewShot(folder, settings).prepare(task, RunContext(dtype="float32")).fit(rows, seeds.child(0, "fit"))


def of_peer(folder):
    return setfit.SetFitModel.from_pretrained(folder, device="cpu")


def test_the_head_is_that_of_the_peer_on_vectors_that_are_standardised_by_column(folder, task, rows):
    untouched = FewShotTraining(learning_rate=1e-12, most_steps=1)
    ours = softmax(fitted(folder, task, rows, untouched).predict(task.test), axis=1)
    peer = of_peer(folder)
    learned, asked = (np.asarray(peer.encode(texts_of(task, part))) for part in (rows, task.test))
    mean, deviation = learned.mean(axis=0), learned.std(axis=0) * np.sqrt(learned.shape[1])
    peer.model_head.fit((learned - mean) / deviation, np.asarray(task.gold(rows)))
    theirs = peer.model_head.predict_proba((asked - mean) / deviation)
    assert np.abs(ours - theirs).max() < 5e-3


def trained_peer(folder, task, rows, output):
    peer = of_peer(folder)
    labelled = {"text": texts_of(task, rows), "label": np.asarray(task.gold(rows)).tolist()}
    options = setfit.TrainingArguments(
        output_dir=str(output), batch_size=SETTINGS.batch_size, num_iterations=SETTINGS.pairs_per_text // 2,
        num_epochs=1, body_learning_rate=RATE, seed=0, report_to="none", save_strategy="no", logging_strategy="no",
        show_progress_bar=False,
    )  # fmt: skip
    trainer = setfit.Trainer(model=peer, args=options, train_dataset=datasets.Dataset.from_dict(labelled))
    trainer.train()
    return peer, trainer.st_trainer.state.global_step


def test_as_many_updates_gain_no_less(folder, task, rows, tmp_path):
    gold, texts = np.asarray(task.gold(task.test)), texts_of(task, task.test)
    peer, steps = trained_peer(folder, task, rows, tmp_path)
    ours = fitted(folder, task, rows, SETTINGS)
    assert ours.chosen["steps"] == steps
    frozen = fitted(folder, task, rows, FewShotTraining(learning_rate=1e-12, most_steps=1))
    before, own = ((each.predict(task.test).argmax(1) == gold).mean() for each in (frozen, ours))
    theirs = (np.asarray(peer.predict(texts, as_numpy=True)) == gold).mean()
    assert min(own, theirs) > before + 0.1
    assert own > theirs - 0.1
