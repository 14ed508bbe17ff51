"""Small graphs with something to learn: numbers on a line or a ring, and relations that step along it."""

from pathlib import Path

import numpy as np

ENTITIES, STEPS = 24, {"next": 1, "after_next": 2, "third": 3}


def write_steps(folder: Path, *, ring: bool, entities: int = ENTITIES, held_out: int = 7) -> Path:
    """Write the parts of the graph, some triples to validate and as many to test; on a ring the last number has a next.

    A translation cannot come back to where it began, a rotation can.
    """
    folder.mkdir(parents=True)
    pairs = [
        (n, n + step, name) for n in range(entities) for name, step in STEPS.items() if ring or n + step < entities
    ]
    lines = [f"e{n}\t{name}\te{to % entities}" for n, to, name in pairs]
    order = np.random.default_rng(0).permutation(len(lines))
    parts = {"valid": order[:held_out], "test": order[held_out : 2 * held_out], "train": order[2 * held_out :]}
    for part, rows in parts.items():
        (folder / f"{part}.tsv").write_text("\n".join(lines[row] for row in rows) + "\n")
    return folder
