"""Sounds of examples: shortened, slower, in 8 bits; and what is refused."""

import base64
import io
import wave

import numpy as np
import pytest
from tests.studies.crossmodal.made_up import write_sound

from wordworth.errors import BadInput
from wordworth.studies.crossmodal.retrieval_examples import require_sounds, short_wave
from wordworth.text.captioned_sequences import read_captioned


def read(encoded):
    with wave.open(io.BytesIO(base64.b64decode(encoded))) as file:
        frames = np.frombuffer(file.readframes(file.getnframes()), dtype=np.uint8)
        return file.getframerate(), file.getnchannels(), frames.astype(int) - 128


def test_a_sound_keeps_its_form_and_the_loudest_sample_fills_the_range(tmp_path):
    samples = 1_000 * np.sin(np.arange(800) / 10)
    write_sound(tmp_path / "a.wav", samples)
    rate, channels, short = read(short_wave(tmp_path / "a.wav"))
    assert (rate, channels, len(short)) == (8_000, 1, 800)
    assert np.abs(short / 127 - np.sin(np.arange(800) / 10)).max() < 0.02


def test_a_long_one_of_many_samples_and_two_channels_is_made_small(tmp_path):
    write_sound(tmp_path / "a.wav", np.full(2 * 44_100 * 6, 500), rate=44_100, channels=2)
    encoded = short_wave(tmp_path / "a.wav")
    rate, channels, short = read(encoded)
    assert (rate, channels) == (7_350, 1)
    assert len(short) == 4 * 7_350
    assert len(encoded) < 64_000


def test_silence_stays_silent(tmp_path):
    write_sound(tmp_path / "a.wav", np.zeros(100))
    assert not read(short_wave(tmp_path / "a.wav"))[2].any()


def test_what_is_no_wav_of_16_bits_is_refused(tmp_path):
    (tmp_path / "a.wav").write_bytes(b"no sound")
    with pytest.raises(BadInput, match="not a readable sound"):
        short_wave(tmp_path / "a.wav")
    with pytest.raises(BadInput, match="there is no such file"):
        short_wave(tmp_path / "none.wav")
    write_sound(tmp_path / "wide.wav", np.zeros(10), width=4)
    with pytest.raises(BadInput, match="a sound of 32 bits"):
        short_wave(tmp_path / "wide.wav")


def test_a_missing_sound_is_named_with_the_first_row_that_has_it(tmp_path):
    write_sound(tmp_path / "a.wav", np.zeros(100))
    (tmp_path / "t.csv").write_text("start,end,text,group,audio\n0,1,x,g,a.wav\n0,1,x,g,b.wav\n0,1,x,g,b.wav\n")
    with pytest.raises(
        BadInput, match=r"t\.csv, line 3: the sound .*b\.wav cannot be used: there is no such file; .*a\.wav"
    ):
        require_sounds(read_captioned(tmp_path / "t.csv", 1))
