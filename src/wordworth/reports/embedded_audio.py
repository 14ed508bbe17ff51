"""Sounds on a page: decoded from a record, drawn, and embedded anew, so that a page plays them without a network."""

from __future__ import annotations

import base64
import io
import wave
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordworth.reports.charts.svg import Markup, path, tag

_MOST_CHARACTERS = 64_000
"""Longest sound in base64 that a page embeds, six seconds of 8,000 bytes."""
_WIDTH, _HEIGHT, _PIECES = 240, 48, 120
_MIDDLE = 128
"""The value of silence in samples of 8 bits."""


@dataclass(frozen=True, slots=True)
class Sound:
    """A sound for a page.

    Attributes:
        drawing: its waveform, as SVG.
        source: the sound itself as a `data:` address.
    """

    drawing: Markup
    source: str


def sound_of(encoded: str, title: str) -> Sound:
    """Return a sound to draw and to play.

    Args:
        encoded: a WAV of one channel and 8 bits in base64, as records hold it.
        title: what is heard, for readers who do not see the drawing.

    Raises:
        ValueError: `encoded` is not such a WAV, or is too long.
    """
    if len(encoded) > _MOST_CHARACTERS:
        raise ValueError(f"a sound of {len(encoded):,} characters, and a page embeds {_MOST_CHARACTERS:,} at most")
    data = base64.b64decode(encoded, validate=True)
    samples = _samples(data)
    return Sound(_waveform(samples, title), f"data:audio/wav;base64,{base64.b64encode(data).decode('ascii')}")


def _samples(data: bytes) -> NDArray[np.float64]:
    try:
        with wave.open(io.BytesIO(data), "rb") as file:
            if (file.getnchannels(), file.getsampwidth()) != (1, 1):
                raise ValueError("a sound of several channels or of more than 8 bits")
            frames = file.readframes(file.getnframes())
    except (EOFError, wave.Error) as error:
        raise ValueError(f"not a sound: {error}") from error
    return np.frombuffer(frames, dtype=np.uint8).astype(np.float64) - _MIDDLE


def _waveform(samples: NDArray[np.float64], title: str) -> Markup:
    """Draw a waveform: the outline of the loudest sample in each of many short pieces, above and below a line."""
    pieces = [piece for piece in np.array_split(np.abs(samples), _PIECES) if len(piece)]
    heights = [max(1.0, float(piece.max()) / _MIDDLE * _HEIGHT) / 2 for piece in pieces]
    step = _WIDTH / max(len(heights), 1)
    upper = [((number + 0.5) * step, _HEIGHT / 2 - height) for number, height in enumerate(heights)]
    lower = [(x, _HEIGHT - y) for x, y in reversed(upper)]
    outline = tag("path", d=path([*upper, *lower], closed=True), fill="currentColor")
    view_box = f"0 0 {_WIDTH} {_HEIGHT}"
    return tag("svg", tag("title", title), outline, role="img", width=_WIDTH, height=_HEIGHT, viewBox=view_box)
