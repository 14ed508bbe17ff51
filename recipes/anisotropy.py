"""What does a penalty on anisotropy do to a model's geometry, and to what the model is good for?

    python recipes/anisotropy.py train STORE --held-out STORE --out runs/ --tokens 60000000 [--device cuda]
    WORDWORTH_DATA=DATA python recipes/anisotropy.py study --out runs/ [--sentences sts] [--limit 5000]

BERTs with and without the ingredient `anisotropy` (`wordworth.training.objectives.anisotropy`) read the same sequences
in the same order, for each of several seeds. STORE is a folder that `wordworth pretrain` or `build_store` made. Runs
that are done are kept, and the same command started several times over shares them out; `pack` and `unpack` bring
trained models from one machine to another.
"""

from __future__ import annotations

import argparse

from matched import Variant, pack, packing_arguments, train, training_arguments, unpack

WEIGHTS = ("0", "0.1", "1")
ARMS = tuple(Variant(f"penalty-{weight}", "bert", (f"anisotropy={weight}",)) for weight in WEIGHTS)


def main() -> None:
    chosen = arguments()
    if chosen.stage == "train":
        train(chosen, ARMS)
    elif chosen.stage == "pack":
        pack(chosen)
    elif chosen.stage == "unpack":
        unpack(chosen)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    stages = parser.add_subparsers(dest="stage", required=True)
    training_arguments(stages.add_parser("train"), [each.name for each in ARMS])
    for name in ("pack", "unpack"):
        packing_arguments(stages.add_parser(name))
    return parser.parse_args()


if __name__ == "__main__":
    main()
