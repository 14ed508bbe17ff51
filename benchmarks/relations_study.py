"""The whole of `study relations --probes` on English-EWT's dev part with MiniLM: seconds, processor seconds, memory.

    WORDWORTH_DATA=data python benchmarks/relations_study.py --threads 1

The study runs in a process of its own with an empty cache, from reading the treebank to the written page, and once more
without probes in another.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import measure
from wordworth.cli.scripts import run_script


def main() -> None:
    """Run the study with and without probes, and report what each took."""
    options = measure.arguments(__doc__, sentences=2_000, rounds=1)
    runs = measure.in_processes(Path(__file__), WAYS, (options.sentences, options.threads), options.rounds)
    named = {"sentences": options.sentences, "threads": options.threads, "rounds": options.rounds}
    measure.report({**named, **measure.compared(runs, WAYS[0])}, options.out)


def way(name: str, sentences: int, threads: int) -> None:
    """Run the study one way and print what was measured; its result is the number of words that were measured.

    Args:
        name: one of `WAYS`.
        sentences: most sentences of the treebank.
        threads: of torch.
    """
    import torch

    import wordworth as ww
    from wordworth.files import cache_folder

    torch.set_num_threads(threads)
    models = cache_folder() / "models"
    with TemporaryDirectory() as folder:
        os.environ["WORDWORTH_CACHE"] = folder
        if models.exists():
            (Path(folder) / "models").symlink_to(models)

        def study() -> float:
            record = ww.study_relations("en_ewt", limit=sentences, probes=name == WAYS[0], out=Path(folder) / "run")
            return float(record.table("relations")["words"][0])

        measure.report_way(study)


WAYS = ("with probes", "without")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--way"]:
        run_script(lambda: way(sys.argv[2], *map(int, sys.argv[3:5])))
    else:
        run_script(main)
