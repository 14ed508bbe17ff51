"""Made-up dialogues, in files, for tests of what reads them."""

import json
from pathlib import Path

import numpy as np

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", *(f"q{n}" for n in range(8)), *(f"r{n}" for n in range(8))]


def dialogues(count: int, seed: int = 0) -> list[dict[str, list[str]]]:
    """Dialogues of two to five turns, in each of which all turns hold one number: a turn of another seems strange."""
    rng = np.random.default_rng(seed)
    rows = []
    for _ in range(count):
        topic, turns = int(rng.integers(8)), int(rng.integers(2, 6))
        speakers = ["A", *rng.choice(["A", "B"], size=turns - 1)]
        rows.append(
            {"turns": [f"{name}: " + " ".join([f"{'q' if name == 'A' else 'r'}{topic}"] * 3) for name in speakers]}
        )
    return rows


def write(folder: Path, rows: list[dict[str, list[str]]]) -> Path:
    """Write `tok/` and `dialogues.jsonl` into a folder, and return the file."""
    (folder / "tok").mkdir(parents=True)
    (folder / "tok" / "vocab.txt").write_text("\n".join(PIECES) + "\n")
    path = folder / "dialogues.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path
