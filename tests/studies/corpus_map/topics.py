"""Texts of known topics, and an index of them by a small static table in which the words of a topic are near."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

import wordworth as ww

TOPICS = ("river", "engine", "violin", "pepper")
COMMON = ("the", "of", "and")
HOSTILE = "<script>alert(1)</script> <b>river0</b> & \"river1\" 'river2'"


def write_table(path: Path, distance: float, width: int = 12) -> Path:
    """A static table in GloVe's text format; `distance` is the distance of words from the centre of their topic."""
    draw = np.random.default_rng(0)
    lines = [f"{word} {' '.join(f'{x:.4f}' for x in 0.3 * draw.normal(size=width))}" for word in COMMON]
    for centre, topic in zip(np.eye(width) * 4, TOPICS, strict=False):
        for number in range(20):
            vector = centre * (distance < 3) + distance * draw.normal(size=width)
            lines.append(f"{topic}{number} {' '.join(f'{x:.4f}' for x in vector)}")
    path.write_text("\n".join(lines) + "\n")
    return path


def rows(number: int, *, mixed: bool = False) -> list[dict[str, str]]:
    """Texts with their topic and an id; `mixed` draws the words of a text from all topics."""
    draw = np.random.default_rng(1)
    made = []
    for row in range(number):
        topic = TOPICS[row % len(TOPICS)]
        own = [f"{draw.choice(TOPICS) if mixed else topic}{draw.integers(20)}" for _ in range(6)]
        words = draw.permutation([*own, *draw.choice(COMMON, 3)])
        made.append({"name": f"t{row}", "text": " ".join(words), "topic": topic, "half": str(draw.integers(2))})
    return made


def index_of(folder: Path, texts: list[dict[str, str]], *, distance: float = 1.0, **settings: object) -> Path:
    """An index of texts in a new folder."""
    folder.mkdir(parents=True, exist_ok=True)
    table = write_table(folder / "table.txt", distance)
    (folder / "texts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in texts))
    ww.build_index(folder / "texts.jsonl", folder / "index", model=str(table), **{"id": "name", **settings})
    return folder / "index"
