from types import SimpleNamespace

import numpy as np
import pytest
from tests.studies.languages.worlds import SPACE, world

from wordworth.progress import SILENT
from wordworth.studies.languages import language_probe
from wordworth.studies.languages.language_probe import ProbeTexts, language_probe_hits


def encoder(states):
    """What reads texts as the states that are given for them."""
    number = {}
    return SimpleNamespace(
        number=number,
        pooled_layers=lambda texts, progress: states[[number[text] for text in texts]],  # noqa: ARG005
    )


def test_as_many_texts_of_every_language_train_stop_and_measure_and_none_twice(monkeypatch):
    monkeypatch.setattr(language_probe, "PER_LANGUAGE", 50)
    data, _ = world(400)
    texts = ProbeTexts.of(data)
    assert [len(texts.train), len(texts.held_out), len(texts.test)] == [120, 30, 150]
    assert len(set(texts.rows.tolist())) == 300
    for rows in (texts.train, texts.held_out, texts.test):
        assert len(set(np.bincount(data.language[rows]))) == 1
    assert data.test[texts.test].all()
    assert not data.test[texts.train].any()


def test_a_probe_names_the_language_where_the_layer_holds_it_and_no_more_than_by_luck_where_it_does_not():
    data, _ = world(400)
    rng = np.random.default_rng(0)
    states = rng.normal(size=(len(data.texts), 2, SPACE)).astype(np.float32)
    states[:, 1, :3] += 6 * np.eye(3)[data.language]
    reader = encoder(states)
    reader.number.update({text: row for row, text in enumerate(data.texts)})
    right = language_probe_hits(reader, data, ProbeTexts.of(data), 0, SILENT)
    assert right.shape == (2, 300)
    assert right[1].mean() > 0.98
    assert right[0].mean() == pytest.approx(1 / 3, abs=0.1)
    assert np.array_equal(right, language_probe_hits(reader, data, ProbeTexts.of(data), 0, SILENT))
