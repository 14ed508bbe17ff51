"""A model that has learned a little, a corpus like its task, and one of other words."""

import json

import numpy as np
import pytest
from tests.training.pretraining.conftest import corpus, documents, model, one_thread, other  # noqa: F401 - fixtures

from wordworth.studies.adaptation import plan_adaptation

ODD = ("zebra", "quagga", "okapi", "gnu", "kudu", "eland", "oryx", "bongo")


def odd_documents(seed, count):
    """Documents of words that the model's vocabulary has only letter by letter, if at all."""
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(ODD, size=12)) + f" {number}." for number in range(count)]


def write(path, texts):
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def texts(tmp_path_factory):
    """Folder with a task, a corpus like it, and a control."""
    folder = tmp_path_factory.mktemp("adaptation")
    write(folder / "task.jsonl", documents(2, 40))
    write(folder / "corpus.jsonl", documents(3, 120))
    write(folder / "control.jsonl", odd_documents(4, 120))
    return folder


@pytest.fixture(scope="module")
def record(model, texts):  # noqa: F811 - the fixture
    return plan_adaptation(
        model,
        texts / "corpus.jsonl",
        task=texts / "task.jsonl",
        control=texts / "control.jsonl",
        steps=4,
        device="cpu",
    )
