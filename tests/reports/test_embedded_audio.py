"""Sounds of pages: drawn by their loudness, embedded as they are."""

import base64

import numpy as np
import pytest

from wordworth.reports.embedded_audio import sound_of
from wordworth.studies.crossmodal.retrieval_examples import wave_bytes


def encoded(samples):
    return base64.b64encode(wave_bytes(np.asarray(samples, dtype=float), 8_000)).decode()


def heights(sound):
    outline = str(sound.drawing).split('d="M')[1].split("Z")[0]
    points = [tuple(map(float, point.split())) for point in outline.split("L")]
    half = len(points) // 2
    return [2 * (24 - y) for _, y in points[:half]]


def test_the_sound_is_embedded_as_it_is_and_drawn_by_its_loudness():
    samples = np.concatenate([np.zeros(600), 100 * np.ones(600)])
    sound = sound_of(encoded(samples), "one <two>")
    assert sound.source == f"data:audio/wav;base64,{encoded(samples)}"
    drawn = heights(sound)
    assert max(drawn[:59]) <= 1.01
    assert min(drawn[61:]) > 40
    assert "one &lt;two&gt;" in sound.drawing


@pytest.mark.parametrize("samples", [[], [1.0], np.ones(50)])
def test_short_sounds_are_drawn(samples):
    assert "<svg" in sound_of(encoded(samples), "").drawing


def test_what_is_no_sound_or_too_long_is_refused():
    with pytest.raises(ValueError, match="not a sound"):
        sound_of(base64.b64encode(b"RIFF").decode(), "")
    with pytest.raises(ValueError, match="embeds"):
        sound_of(encoded(np.ones(60_000)), "")
