"""What the comparison with the Trainer of transformers times."""

from types import SimpleNamespace

import pytest

pytestmark = pytest.mark.peers


def test_the_trainer_is_timed_while_it_trains_and_not_while_it_is_built(monkeypatch, tmp_path):
    import finetune_throughput as benchmark

    steps = []

    class Trainer:
        def __init__(self, **_):
            steps.append("built")

        def train(self):
            steps.append("trained")

    pretrained = SimpleNamespace(from_pretrained=lambda *_, **__: steps.append("read"))
    monkeypatch.setattr(benchmark, "Trainer", Trainer)
    monkeypatch.setattr(benchmark, "AutoModelForSequenceClassification", pretrained)
    work = SimpleNamespace(dataset=[], task=SimpleNamespace(kind="single", classes=("a", "b")))
    timed = benchmark.theirs(work, str(tmp_path), grouped=False)()
    assert steps == ["read", "built"]
    timed()
    assert steps == ["read", "built", "trained"]
