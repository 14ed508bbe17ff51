"""A small static table, made-up texts and an index of them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from tests.models.tiny import write_prompts, write_tiny

import wordworth as ww

WORDS = [f"word{number}" for number in range(60)]


def write_table(path: Path, seed: int = 0, width: int = 8) -> Path:
    """A static table in GloVe's text format."""
    draw = np.random.default_rng(seed)
    path.write_text("".join(f"{word} {' '.join(f'{x:.4f}' for x in draw.normal(size=width))}\n" for word in WORDS))
    return path


def made_up_rows(number: int, seed: int = 0) -> list[dict[str, object]]:
    """Rows of a file: a text of a few words, a language, a year and an id."""
    draw = np.random.default_rng(seed)
    return [
        {
            "text": " ".join(draw.choice(WORDS, draw.integers(1, 9))),
            "lang": str(draw.choice(["en", "de"])),
            "year": int(draw.integers(1990, 2026)),
            "name": f"{seed}-{row}",
        }
        for row in range(number)
    ]


def write_rows(path: Path, rows: list[dict[str, object]]) -> Path:
    """A `.jsonl` of rows."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def build(folder: Path, number: int = 200, **settings: object) -> Path:
    """An index of made-up rows in a folder, with its table beside it."""
    table = write_table(folder / "table.txt")
    rows = write_rows(folder / "rows.jsonl", made_up_rows(number))
    ww.build_index(rows, folder / "index", model=str(table), **settings)
    return folder / "index"


def queries(number: int) -> list[str]:
    """Distinct queries of two words."""
    pairs = zip(WORDS * 2, WORDS[7:] + WORDS[:7] + WORDS[11:] + WORDS[:11], strict=True)
    return [f"{first} {second}" for first, second in pairs][:number]


def files(folder: Path) -> dict[str, bytes]:
    """The bytes of every file in an index."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


TWO_PROMPTS = {"query": "the ", "passage": "a "}


def two_prompts(folder: Path, prompts: object = None) -> Path:
    """A small encoder with a prompt before queries and another before documents."""
    return write_prompts(write_tiny(folder), TWO_PROMPTS if prompts is None else prompts)
