"""The recipe of spoken digits: bands that hear their tones, strings of one speaker, and files that the study reads."""

import sys

import numpy as np
import pytest

import spoken_digits
from wordworth.text.captioned_sequences import read_captioned


@pytest.fixture
def data(tmp_path):
    """Two speakers, each with thirty recordings of noise of 0.1 seconds."""
    draw = np.random.default_rng(0)
    for name in ("ann", "bob"):
        samples = draw.integers(-900, 900, 30 * 800).astype(np.int16)
        offsets = np.arange(0, len(samples) + 1, 800, dtype=np.int32)
        np.savez(tmp_path / f"{name}.npz", samples=samples, offsets=offsets, digit=np.repeat(np.arange(10), 3))
    return tmp_path


@pytest.mark.parametrize("hertz", [300, 1_000, 2_500])
def test_a_tone_is_loudest_in_the_band_of_its_frequency(hertz):
    tone = np.sin(2 * np.pi * hertz * np.arange(spoken_digits.WINDOW) / spoken_digits.RATE)
    energies = spoken_digits.mel_filters() @ np.abs(np.fft.rfft(tone * np.hanning(len(tone)))) ** 2
    centres = spoken_digits.mel_filters() @ np.fft.rfftfreq(len(tone), 1 / spoken_digits.RATE)
    centres /= spoken_digits.mel_filters().sum(1)
    assert abs(int(energies.argmax()) - int(np.abs(centres - hertz).argmin())) <= 1


def test_features_do_not_depend_on_loudness():
    samples = 500 * np.random.default_rng(0).normal(size=4_000)
    assert np.allclose(spoken_digits.log_mel(samples), spoken_digits.log_mel(7 * samples), atol=1e-6)


def test_each_recording_stands_in_at_most_one_string_of_a_pass(data):
    strings = list(spoken_digits.strings(data / "ann.npz", 3, 2, 0))
    assert {len(words) for words, _ in strings} == {1, 2, 3}
    assert all(len(samples) == 800 * len(words) for words, samples in strings)
    assert sum(len(words) for words, _ in strings) <= 60


def test_what_it_writes_is_what_the_study_reads(data, tmp_path, monkeypatch):
    arguments = ["spoken_digits.py", "--data", data, "--out", tmp_path / "out", "--frames", "4"]
    monkeypatch.setattr(sys, "argv", list(map(str, arguments)))
    spoken_digits.main()
    features = np.load(tmp_path / "out" / "features.npy")
    sequences = read_captioned(tmp_path / "out" / "captions.csv", len(features))
    assert features.shape[1] == 4 * spoken_digits.BANDS
    assert sequences.bounds[-1, 1] == len(features)
    assert set(sequences.groups) == {"ann", "bob"}
    assert all((tmp_path / "out" / sound).exists() for sound in sequences.audio)


def test_a_string_shorter_than_a_clip_is_left_out(data, tmp_path, monkeypatch):
    """Of one recording there are eight frames, and of two and three more than ten."""
    arguments = ["spoken_digits.py", "--data", data, "--out", tmp_path / "out", "--frames", "10", "--no-audio"]
    monkeypatch.setattr(sys, "argv", list(map(str, arguments)))
    spoken_digits.main()
    sequences = read_captioned(tmp_path / "out" / "captions.csv", len(np.load(tmp_path / "out" / "features.npy")))
    assert {len(text.split()) for text in sequences.texts} == {2, 3}
