"""The paper's ablations at a scale of one's own: what of them can be seen there, what cannot, and what is not there.

    WORDWORTH_DATA=DATA python recipes/ablations.py STORE --held-out STORE --out runs/ [--tokens 10000000] [--seeds 3]
    WORDWORTH_DATA=DATA python recipes/ablations.py STORE --held-out STORE --out smoke/ --tiny

STORE is a folder that `wordworth pretrain` or `build_store` made. The arms (`ablation_arms.py`) are BERTs without next
sentence prediction, from left to right, with a BiLSTM above that, of other sizes, taken on the way, and with other
mixes of masks. Each differs in one thing from the arm that it is held against: same text, order and seeds, and within
half a step as many tokens, counted. Losses of masked and of left-to-right models cannot be compared; so every model is
fine-tuned on small cuts of the same tasks (`small_tasks.py`), and masked ones are asked for the same hidden pieces too,
but for those of other mixes, which are made to answer something else.

For each effect that the paper found the record says what it came to, with its interval paired by seed over seeds and
test examples, and whether it is seen, not seen, or cannot be told (`effects.py`). Texts are pooled by their mean in
every arm, as a left-to-right model's first token has seen nothing (`--pooling own`: the paper's way, where it can be).

Every run is a cell: what is done is kept, `--families masks` or `--only 'tune/*/seed-1'` does some, and the same
command started several times over shares the runs out (with `--stage work`, all but the report). The end is
`runs/ablations.json` and `runs/ablations.md`, of the seeds that are there.
"""

from __future__ import annotations

import argparse
from typing import Any

import torch

from parts import equal_tokens
from parts.ablation_arms import FAMILIES
from parts.ablation_cells import cells_of
from parts.ablation_report import report
from parts.cells import keep_to
from parts.small_tasks import METRICS
from parts.stages import make_cells, write_report
from wordworth.cli.scripts import run_script

TINY = {"shape": "2x64", "tokens": 6_000, "batch": 8, "seeds": 2, "milestones": [0.5], "learned": 64, "asked": 64}
TINY |= {"epochs": 1.0, "tasks": ["mrpc", "conll2003"], "sequences": 8}


def main() -> None:
    options = arguments()
    torch.set_num_threads(options.threads)
    keep_to(options.out, deciding(options))
    make_cells(options, lambda: cells_of(options))
    write_report(options, "ablations", lambda: report(options, deciding(options)), ("gains", "scores", "arms"))


def deciding(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that decide every run, apart from its arm, task and seed."""
    names = ("milestones", "learned", "asked", "epochs", "rates", "pooling")
    return equal_tokens.deciding(options) | {name: getattr(options, name) for name in names}


def arguments() -> argparse.Namespace:
    stages = ["train", "ask", "tune", "work", "report", "all"]
    parser = equal_tokens.command(__doc__, tokens=10_000_000, stages=stages)
    parser.add_argument("--families", nargs="+", choices=list(FAMILIES), default=list(FAMILIES))
    parser.add_argument("--tasks", nargs="+", choices=list(METRICS), default=list(METRICS))
    parser.add_argument("--milestones", type=float, nargs="*", default=[0.25, 0.5], help="shares of a run")
    parser.add_argument("--learned", type=int, default=4_000, help="examples of a task that are learned, at most")
    parser.add_argument("--asked", type=int, default=2_000, help="examples of its dev part that are asked, at most")
    parser.add_argument("--epochs", type=float, default=5.0, help="of fine-tuning")
    parser.add_argument("--rates", type=float, nargs="+", default=[5e-4], help="of fine-tuning; the best one counts")
    parser.add_argument("--pooling", default="mean", help="of texts; `own`: BERT's pooler where a model has one")
    return equal_tokens.parsed(parser, TINY)


if __name__ == "__main__":
    run_script(main)
