"""Small graphs with something to learn: numbers on a line or a ring, and relations that step along it."""

from pathlib import Path

import numpy as np

ENTITIES, STEPS = 24, {"next": 1, "after_next": 2, "third": 3}


def write_steps(folder: Path, *, ring: bool) -> Path:
    """Write the parts of the graph, seven triples to validate and seven to test; on a ring the last number has a next.

    A translation cannot come back to where it began, a rotation can.
    """
    folder.mkdir(parents=True)
    pairs = [
        (n, n + step, name) for n in range(ENTITIES) for name, step in STEPS.items() if ring or n + step < ENTITIES
    ]
    lines = [f"e{n}\t{name}\te{to % ENTITIES}" for n, to, name in pairs]
    order = np.random.default_rng(0).permutation(len(lines))
    parts = {"valid": order[:7], "test": order[7:14], "train": order[14:]}
    for part, rows in parts.items():
        (folder / f"{part}.tsv").write_text("\n".join(lines[row] for row in rows) + "\n")
    return folder
