"""Strings of spoken digits for `wordworth study crossmodal`: log-mel features of frames, and the words beside them.

    python recipes/spoken_digits.py --data DATA/spoken_digits --out digits/
    wordworth study crossmodal digits/features.npy digits/captions.csv --out run/

The recordings are those of the Free Spoken Digit Dataset (Jakobovski et al., CC BY-SA 4.0): six speakers, ten digits,
fifty times each, one `.npz` a speaker. Each string is of one speaker, of one to `--digits` recordings in random order;
in each pass over them every recording stands in one string. A frame has 25 ms, and one begins every 10 ms; its features
are the logarithms of the energies in mel-spaced bands (Davis and Mermelstein 1980), each band of a string with mean 0
and variance 1, so that microphones and loudness differ less. A row is a clip of `--frames` frames, side by side.
"""

from __future__ import annotations

import argparse
import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordworth import seeds
from wordworth.cli.scripts import run_script, writable_path
from wordworth.files import atomic_write, write_text
from wordworth.measures.weighted_sums import Floats, floats

RATE, WINDOW, HOP, BANDS = 8_000, 200, 80, 24
"""Samples a second, samples of a frame, from one frame to the next, and number of mel-spaced bands."""
LOWEST, HIGHEST, FLOOR = 100.0, 4_000.0, 1e-3
DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def mel_filters() -> Floats:
    """The weight of each frequency in each band, triangles evenly spaced in mel, [bands, frequencies]."""
    low, high = (2595 * np.log10(1 + hertz / 700) for hertz in (LOWEST, HIGHEST))
    mel = np.linspace(low, high, BANDS + 2)
    edges = 700 * (10 ** (mel / 2595) - 1)
    frequencies = np.fft.rfftfreq(WINDOW, 1 / RATE)
    rise = (frequencies - edges[:-2, None]) / np.diff(edges)[:-1, None]
    fall = (edges[2:, None] - frequencies) / np.diff(edges)[1:, None]
    return floats(np.clip(np.minimum(rise, fall), 0, None))


def log_mel(samples: Floats) -> Floats:
    """The log energy of each frame in each band, each band with mean 0 and variance 1, [frames, bands]."""
    frames = np.lib.stride_tricks.sliding_window_view(samples, WINDOW)[::HOP] * np.hanning(WINDOW)
    energies = np.abs(np.fft.rfft(frames)) ** 2 @ mel_filters().T
    logs = np.log(energies + FLOOR * energies.mean())
    return floats((logs - logs.mean(0)) / np.maximum(logs.std(0), 1e-6))


def clips(samples: Floats, frames: int) -> NDArray[np.float32]:
    """Clips of so many frames side by side, float32 [clips, frames * bands]; a shorter last one is dropped."""
    rows = log_mel(samples)
    return rows[: len(rows) // frames * frames].reshape(-1, frames * BANDS).astype(np.float32)


def strings(path: Path, digits: int, passes: int, seed: int) -> Iterator[tuple[list[str], Floats]]:
    """The words and samples of strings of digits that one speaker says.

    Args:
        path: the recordings of a speaker.
        digits: most digits of a string.
        passes: number of passes over the recordings.
        seed: decides the strings.
    """
    with np.load(path, allow_pickle=False) as file:
        samples, offsets, labels = (file[name] for name in ("samples", "offsets", "digit"))
    recordings = np.split(samples.astype(np.float64), offsets[1:-1])
    for number in range(passes):
        rng = seeds.child(seed, "digits", path.stem, number)
        ends = np.cumsum(rng.integers(1, digits + 1, len(recordings)))
        order = rng.permutation(len(recordings))
        for own in np.split(order, ends[ends < len(order)]):
            yield [DIGITS[labels[each]] for each in own], np.concatenate([recordings[each] for each in own])


def write_sound(path: Path, samples: Floats) -> None:
    """Write samples as a WAV of one channel and 16 bits."""
    with atomic_write(path) as temporary, wave.open(str(temporary), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.astype("<i2").tobytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of one .npz a speaker")
    parser.add_argument("--out", type=writable_path, default=Path("digits"))
    parser.add_argument("--digits", type=int, default=3, help="most digits of a string")
    parser.add_argument("--passes", type=int, default=2, help="strings that each recording stands in")
    parser.add_argument("--frames", type=int, default=8, help="frames of a clip, one every 10 ms")
    parser.add_argument("--no-audio", action="store_true", help="write no sounds, which the page would play")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    features, start, lines = [], 0, [f"start,end,text,group{'' if options.no_audio else ',audio'}"]
    for path in sorted(options.data.glob("*.npz")):
        for number, (words, samples) in enumerate(strings(path, options.digits, options.passes, options.seed)):
            rows = clips(samples, options.frames)
            if not len(rows):  # shorter than a clip
                continue
            sound = f"audio/{path.stem}{number}.wav"
            cells = [str(start), str(start + len(rows)), " ".join(words), path.stem]
            if not options.no_audio:
                write_sound(options.out / sound, samples)
                cells.append(sound)
            features.append(rows)
            lines.append(",".join(cells))
            start += len(rows)
    with atomic_write(options.out / "features.npy") as temporary, temporary.open("wb") as file:
        np.save(file, np.concatenate(features))
    write_text(options.out / "captions.csv", "\n".join(lines) + "\n")


if __name__ == "__main__":
    run_script(main)
