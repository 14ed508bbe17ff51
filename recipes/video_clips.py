"""Clips of your own films for `wordworth study crossmodal`: features of their frames, and what was said meanwhile.

    python recipes/video_clips.py --films films/ --speech speech.csv --out clips/
    wordworth study crossmodal clips/features.npy clips/captions.csv --k 12 --depth 4 --out run/

`films/` holds an `.npy` for each film, with a row of features for each frame, made by any network; the speech is a
table with columns `film` (the name of the `.npy` without its suffix), `start` and `end` in seconds, and `text`.

The lengths are those of VideoBERT (Sun et al. 2019, arXiv 1904.01766): 20 frames a second, and clips of 30 frames, 1.5
seconds. The features of a clip are the mean of those of its frames; a shorter last clip is left out. A network for
video such as S3D makes one row of all frames of a clip: then give `--clips`, and rows are left as they are. A caption
gets every clip that it overlaps; each film is a group, so that it trains or is tested.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from wordworth.cli.scripts import run_script, writable_path
from wordworth.errors import BadInput
from wordworth.files import atomic_write
from wordworth.models.codebook import Vectors
from wordworth.sentence_formatting import count_of
from wordworth.text.file_formats.base import ColumnType
from wordworth.text.file_formats.read import read_rows, require_format
from wordworth.text.file_formats.table import TextTable
from wordworth.training.codebook.feature_rows import FeatureRows

COLUMNS = ("film", "start", "end", "text")
RATE, FRAMES = 20.0, 30
"""Frames of a second and of a clip in the paper."""


def clips_of(path: Path, frames: int) -> Vectors:
    """Return the mean features of each clip, float32 [clips, width]; fewer frames at the end are no clip."""
    rows = FeatureRows.open(path)
    whole = len(rows) // frames
    if not whole:
        raise BadInput(f"{len(rows)} rows make no clip of {frames}", where=str(path), mend="give a longer film")
    vectors = rows.vectors[: whole * frames].reshape(whole, frames, rows.width)
    return np.asarray(vectors.mean(1, dtype=np.float64), dtype=np.float32)


def captions(speech: TextTable, firsts: Mapping[str, tuple[int, int]], seconds: float) -> Iterator[dict[str, str]]:
    """Yield the first clip of each caption, the one after its last, its text and its film.

    Args:
        speech: the table of what is said.
        firsts: name of each film -> (number of its first clip, number of its clips).
        seconds: length of a clip.

    Raises:
        BadInput: a film is not there, a time is no number, or nothing of the caption is within the film.
    """
    for row, (film, *times, text) in enumerate(zip(*map(speech.column, COLUMNS), strict=True)):
        if film not in firsts:
            mend = f"give {', '.join(list(firsts)[:5])}"
            raise BadInput(f"there are no features of the film {film!r:.60}", where=speech.where(row), mend=mend)
        first, clips = firsts[film]
        begin, end = (_seconds(cell, speech.where(row)) for cell in times)
        start, stop = int(begin // seconds), min(math.ceil(end / seconds), clips)
        if start >= stop:
            what = f"from {begin:g} to {end:g} s of a film of {clips * seconds:g} s there is no clip"
            raise BadInput(what, where=speech.where(row), mend="give times in seconds within the film")
        yield {"start": str(first + start), "end": str(first + stop), "text": text, "group": film}


def _seconds(cell: str, where: str) -> float:
    try:
        seconds = float(cell)
    except ValueError as error:
        raise BadInput(f"{cell!r:.40} is no time", where=where, mend="give seconds, such as 12.5") from error
    if not 0 <= seconds < math.inf:
        raise BadInput(f"{seconds:g} is no time of a film", where=where, mend="give seconds from 0 on")
    return seconds


def clips_by_film(films: Path, frames: int) -> dict[str, Vectors]:
    """Return the name of each film -> the features of its clips, float32 [clips, width].

    Args:
        films: folder of the `.npy` of each film.
        frames: rows of features of a clip.

    Raises:
        BadInput: there are no films, a file cannot be read, or films differ in width.
    """
    clips: dict[str, Vectors] = {}
    for path in sorted(films.glob("*.npy")):
        clips[path.stem] = clips_of(path, frames)
        name, first = next(iter(clips.items()))
        if clips[path.stem].shape[1] != first.shape[1]:
            what = f"features of {clips[path.stem].shape[1]} numbers, and {name}.npy has {first.shape[1]}"
            raise BadInput(what, where=str(path), mend="make the features of all films by one network")
    if not clips:
        raise BadInput("there is no .npy of a film here", where=str(films), mend="give a folder of one .npy a film")
    return clips


def write(films: Path, speech: Path, out: Path, frames: int, seconds: float) -> tuple[int, int]:
    """Write `features.npy` and `captions.csv`; return the number of clips and of captions.

    Args:
        films: folder of the `.npy` of each film.
        speech: the table of what is said.
        out: the folder to write.
        frames: rows of features of a clip.
        seconds: length of a clip.

    Raises:
        BadInput: a file cannot be read, films differ in width, or a caption is outside its film.
    """
    clips = clips_by_film(films, frames)
    starts = np.cumsum([0, *map(len, clips.values())]).tolist()
    firsts = {film: (start, len(own)) for (film, own), start in zip(clips.items(), starts, strict=False)}
    rows = list(captions(read_rows(speech), firsts, seconds))
    out.mkdir(parents=True, exist_ok=True)
    with atomic_write(out / "features.npy") as temporary, temporary.open("wb") as file:
        np.save(file, np.concatenate(list(clips.values())))
    columns: dict[str, ColumnType] = dict.fromkeys(("start", "end", "text", "group"), "text")
    with atomic_write(out / "captions.csv") as temporary:
        require_format("captions.csv").write(temporary, iter(rows), columns)
    return starts[-1], len(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--films", type=Path, required=True, help="folder of one .npy a film")
    parser.add_argument("--speech", type=Path, required=True, help="table with columns film, start, end and text")
    parser.add_argument("--out", type=writable_path, default=Path("clips"))
    parser.add_argument("--rate", type=float, default=RATE, help="frames a second")
    parser.add_argument("--frames", type=int, default=FRAMES, help="frames of a clip")
    parser.add_argument("--clips", action="store_true", help="a row is a clip of so many frames already")
    options = parser.parse_args()
    if options.frames < 1 or options.rate <= 0:
        parser.error("give --frames of 1 or more and a --rate above 0")
    rows = 1 if options.clips else options.frames
    clips, count = write(options.films, options.speech, options.out, rows, options.frames / options.rate)
    seconds = options.frames / options.rate
    print(f"{options.out}: {count_of(clips, 'clip')} of {seconds:g} s, {count_of(count, 'caption')}")


if __name__ == "__main__":
    run_script(main)
