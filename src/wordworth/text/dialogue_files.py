"""Dialogue files: turns with their speakers, one dialogue on each line of JSON Lines."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.json_file import parse_json
from wordworth.text.file_formats.jsonl import json_objects
from wordworth.text.read_compressed_file import lines, read_raw, suffix_of

_FORM = '{"turns": [{"speaker": "A", "text": "..."}, ...]} or {"turns": ["A: ...", ...]}'


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A dialogue: the turns in order, each with its speaker.

    Attributes:
        texts: the text of each turn, never empty.
        speakers: the index of each turn's speaker, from 0, in the order in which the speakers first speak.
    """

    texts: tuple[str, ...]
    speakers: tuple[int, ...]

    @classmethod
    def of(cls, turns: Iterable[tuple[str, str]]) -> Dialogue:
        """Return the dialogue of turns given as (speaker, text).

        Texts are brought to Unicode's composed form, and empty turns are left out.

        >>> Dialogue.of([("W", "Hello."), ("M", "Hi."), ("W", "Well?")]).speakers
        (0, 1, 0)
        """
        spoken = [(name.strip(), unicodedata.normalize("NFC", text).strip()) for name, text in turns]
        full = [(name, text) for name, text in spoken if text]
        order = {name: number for number, name in enumerate(dict.fromkeys(name for name, _ in full))}
        return cls(tuple(text for _, text in full), tuple(order[name] for name, _ in full))


def read_dialogues(files: Iterable[Path]) -> Iterator[Dialogue]:
    """Yield the dialogues of files, in order; dialogues of a single turn are included.

    A `.jsonl` has an object on each line, whose `turns` are objects with `speaker` and `text`, or texts that begin with
    the speaker's name and a colon. The `.json` files of DREAM (Sun et al. 2019) are read as they are.

    Raises:
        BadInput: a file cannot be read, or a line has no turns, or a turn no speaker or text; the error names the line.
    """
    for path in files:
        if suffix_of(path.name) == ".json":
            yield from _dream(path)
            continue
        for number, values in json_objects(lines(path), str(path)):
            yield _dialogue(values.get("turns"), f"{path}, line {number}")


def _dream(path: Path) -> Iterator[Dialogue]:
    """Yield the dialogues of a file of DREAM: a list of [turns, questions, name]."""
    try:
        entries = parse_json(read_raw(path).text())
    except ValueError as error:
        raise BadInput("this file is not JSON", where=str(path), mend=f"give a .jsonl of {_FORM}") from error
    if not isinstance(entries, list) or not all(isinstance(entry, list) and entry for entry in entries):
        what = "this .json does not hold dialogues as DREAM's files do"
        raise BadInput(what, where=str(path), mend=f"give a .jsonl of {_FORM}")
    for number, entry in enumerate(entries, start=1):
        yield _dialogue(entry[0], f"{path}, dialogue {number}")


def _dialogue(turns: Any, where: str) -> Dialogue:  # noqa: ANN401 - a value of JSON
    if not isinstance(turns, list) or not turns:
        raise BadInput("this dialogue has no turns", where=where, mend=f"write {_FORM}")
    return Dialogue.of(_turn(turn, where) for turn in turns)


def _turn(turn: Any, where: str) -> tuple[str, str]:  # noqa: ANN401 - a value of JSON
    """Return speaker and text of a turn."""
    if isinstance(turn, dict) and isinstance(turn.get("text"), str) and isinstance(turn.get("speaker"), str):
        return turn["speaker"], turn["text"]
    if isinstance(turn, str) and ":" in turn:
        speaker, _, text = turn.partition(":")
        return speaker, text
    has_speaker = isinstance(turn, dict) and isinstance(turn.get("speaker"), str)
    lack = "has no text" if has_speaker else "names no speaker"
    raise BadInput(f"this turn {lack}", where=where, mend=f"write {_FORM}")
