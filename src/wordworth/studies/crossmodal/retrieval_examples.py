"""Examples for the page: captions and the sequences that a model ranks nearest, with their sound if there is one."""

from __future__ import annotations

import base64
import io
import wave
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput
from wordworth.studies.crossmodal.caption_matching import score_matrix, search_sets
from wordworth.studies.crossmodal.settings import CrossmodalSettings
from wordworth.text.captioned_sequences import CaptionedSequences, Numbers
from wordworth.text.read_compressed_file import check_file
from wordworth.training.crossmodal.sequences import Pairs
from wordworth.training.pretraining.model import PretrainingModel

NEAREST = 3
SECONDS, RATE = 4, 8_000
"""Most seconds of a sound on the page, and most samples of a second."""
_PCM16 = 2


def nearest_sequences(model: PretrainingModel, pairs: Pairs, settings: CrossmodalSettings) -> Numbers:
    """Return for a few captions the sequences whose codes fit best, as examples for the page.

    The search is over one set of at most `settings.candidates` pairs.

    Args:
        model: the model, in evaluation mode.
        pairs: the test pairs of words and codes.
        settings: the settings of the study.

    Returns:
        Indices into `pairs`, int64 [examples, 1 + nearest]; each row has the caption's pair, then the pairs whose codes
        fit best, the best first.
    """
    rows = search_sets(len(pairs), settings.candidates, settings.seed)[0]
    scores = score_matrix(model, pairs.take(rows), settings.max_length)[: settings.examples]
    nearest = np.argsort(-scores, axis=1, kind="stable")[:, :NEAREST]
    return np.concatenate([rows[: settings.examples, None], rows[nearest]], axis=1)


def example_rows(examples: Numbers, sequences: CaptionedSequences) -> list[dict[str, Any]]:
    """Return the rows of the table `examples`, one for each caption and each of the sequences nearest to it.

    Args:
        examples: int64 [captions, 1 + nearest], as `nearest_sequences` returns, but as indices into `sequences`.
        sequences: all sequences with their captions.

    Raises:
        BadInput: the sound file of a sequence cannot be read.
    """
    folder = Path(sequences.table.path).parent
    rows = []
    for query, *nearest in examples.tolist():
        for rank, row in enumerate(nearest, start=1):
            sound = sequences.audio[row].strip()
            rows.append(
                {
                    "caption": sequences.texts[query],
                    "rank": rank,
                    "own_caption": sequences.texts[row],
                    "group": sequences.groups[row],
                    "right": sequences.texts[row] == sequences.texts[query],
                    "sound": short_wave(folder / sound) if sound else "",
                }
            )
    return rows


def require_sounds(sequences: CaptionedSequences) -> None:
    """Check that every sound file in the table's column `audio` is a WAV of 16-bit samples.

    Raises:
        BadInput: a file is missing, or is no WAV of 16-bit samples; the error names the first row that has it.
    """
    folder = Path(sequences.table.path).parent
    first_row: dict[str, int] = {}
    for row, sound in enumerate(sequences.audio):
        first_row.setdefault(sound.strip(), row)
    first_row.pop("", None)
    for sound, row in first_row.items():
        try:
            with _opened(folder / sound):
                pass
        except BadInput as error:
            what = f"the sound {folder / sound} cannot be used: {error.what}"
            raise BadInput(what, where=sequences.table.where(row), mend=error.mend) from error


@contextmanager
def _opened(path: Path) -> Iterator[wave.Wave_read]:
    """Open a sound file for reading; raise BadInput if it is not a WAV of 16-bit samples."""
    check_file(path)
    try:
        with wave.open(str(path), "rb") as file:
            if file.getsampwidth() != _PCM16:
                what = f"a sound of {8 * file.getsampwidth()} bits"
                raise BadInput(what, where=str(path), mend="save it with 16 bits")
            yield file
    except (OSError, EOFError, wave.Error) as error:
        mend = "give .wav files of 16 bits in the column audio, or leave the column out"
        raise BadInput(f"not a readable sound: {error}", where=str(path), mend=mend) from error


def short_wave(path: Path) -> str:
    """Return a sound file as a small WAV in base64: one channel, 8 bits, at most 8,000 samples a second, 4 seconds.

    Raises:
        BadInput: the file is not a WAV of 16-bit samples.
    """
    with _opened(path) as file:
        rate, channels = file.getframerate(), file.getnchannels()
        data = file.readframes(SECONDS * rate)
    samples = np.frombuffer(data[: len(data) // (2 * channels) * 2 * channels], dtype="<i2").reshape(-1, channels)
    return base64.b64encode(wave_bytes(*_slower(samples.mean(1), rate))).decode("ascii")


def _slower(samples: NDArray[np.float64], rate: int) -> tuple[NDArray[np.float64], int]:
    """Return samples resampled to at most 8,000 a second, each a mean of consecutive samples, and the new rate."""
    step = -(-rate // RATE)
    return samples[: len(samples) // step * step].reshape(-1, step).mean(1), rate // step


def wave_bytes(samples: NDArray[np.float64], rate: int) -> bytes:
    """Return the bytes of a WAV of one channel and 8 bits, scaled so that its loudest sample has the largest value.

    Args:
        samples: the amplitudes, float64 [n].
        rate: number of samples per second.
    """
    loudest = float(np.abs(samples).max(initial=1.0))
    file = io.BytesIO()
    with wave.open(file, "wb") as target:
        target.setnchannels(1)
        target.setsampwidth(1)
        target.setframerate(rate)
        target.writeframes((128 + np.rint(127 * samples / loudest)).astype(np.uint8).tobytes())
    return file.getvalue()
