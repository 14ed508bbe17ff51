"""What fine-tuning on DPR with a margin gives `mini`: pronouns of four sets resolved before and after.

    python benchmarks/pronouns.py --seeds 3 --epochs 8 --out figures.json

Each seed is a run of `wordworth finetune dpr --model mini --restarts 1 --seed N --epochs EPOCHS` in its own folder; a
tenth of DPR's training part chooses among its evaluations, and nothing else is chosen. Before and after are scored by
the same method, in float32: a pronoun becomes as many masks as a candidate has pieces, and the candidate whose pieces
are the likelier ones, on the mean, is the answer. Intervals are exact (Clopper and Pearson) and take items as
independent, as does McNemar's test between before and after; sentences come in twos whose answers are opposite.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch

from measure import arguments, report
from wordworth.cli.scripts import run_script
from wordworth.inference.finetuned_network import Network
from wordworth.inference.task_predictor import TaskPredictor
from wordworth.measures.binomial import exact_interval, paired_shares
from wordworth.studies.finetune import finetune
from wordworth.tasks.formats.dataset_part import Part
from wordworth.tasks.formats.pronoun_gaps import pronoun_part
from wordworth.tasks.formats.pronoun_rows import pronoun_path
from wordworth.text.read_compressed_file import read_raw
from wordworth.training.finetuning.run_inputs import load_encoder
from wordworth.training.finetuning.trainer import FineTuningConfig, FineTuningRun
from wordworth.training.task_heads import MaskedCandidateHead
from wordworth.training.task_heads.base import InputReader

SETS = ("dpr_test", "wsc273", "pdp60", "winogender")
Right = dict[str, np.ndarray]
"""Name of a set -> which of its items are right, bool [items]."""


def right(network: Network, parts: dict[str, Part]) -> Right:
    """Return which items of each set a network has right."""
    flags = {}
    for name, part in parts.items():
        predictions = network.tuned.exact.predict(network.tuned.head.encode(network.reader, part.examples))
        flags[name] = np.asarray(predictions).argmax(1) == part.labels
    return flags


def untrained() -> Network:
    """Return `mini` under the head as it is before the first update."""
    encoder, head = load_encoder("mini"), MaskedCandidateHead()
    head.attach(encoder)
    reader = InputReader(tokenizer=encoder.tokenizer, limit=128)
    part = pronoun_part(read_raw(pronoun_path("dpr_train")))
    few = part.examples.take(np.arange(2))
    inputs = head.encode(reader, few)
    run = FineTuningRun(
        encoder.model, head, inputs, head.targets(part.labels[:2], inputs), FineTuningConfig(steps=1), 0
    )
    return Network(reader, run.tuned)


def trained(seed: int, epochs: int) -> Network:
    """Return the model of a run of the command."""
    with TemporaryDirectory() as folder:
        finetune("dpr", model="mini", restarts=1, seed=seed, epochs=epochs, processes=1, out=folder)
        network = TaskPredictor.read(Path(folder), "cpu", "float32").model
    assert isinstance(network, Network)
    return network


def share(flags: np.ndarray) -> dict[str, Any]:
    """Return a share of right items with its exact interval."""
    interval = exact_interval(int(flags.sum()), len(flags))
    return {
        "right": int(flags.sum()),
        "items": len(flags),
        "share": flags.mean(),
        "low": interval.low,
        "high": interval.high,
    }


def change(before: np.ndarray, after: np.ndarray) -> dict[str, float]:
    """Return how many more are right after than before, with its exact interval and McNemar's p."""
    compared = paired_shares(int((after & ~before).sum()), int((before & ~after).sum()), len(before))
    return {
        "change": compared.value,
        "low": compared.interval.low,
        "high": compared.interval.high,
        "p": compared.p_value,
    }


def main() -> None:
    """Score each set before, and after each seed."""
    options = arguments(__doc__, seeds=3, epochs=8)
    torch.set_num_threads(options.threads)
    parts = {name: pronoun_part(read_raw(pronoun_path(name))) for name in SETS}
    before = right(untrained(), parts)
    after = [right(trained(seed, options.epochs), parts) for seed in range(options.seeds)]
    results = {
        name: {
            "chance": float(np.mean([1 / len(each) for each in parts[name].examples.options or ()])),
            "before": share(before[name]),
            "after": [share(each[name]) for each in after],
            "changes": [change(before[name], each[name]) for each in after],
        }
        for name in SETS
    }
    report({"sets": results, "seeds": options.seeds, "epochs": options.epochs, "threads": options.threads}, options.out)


if __name__ == "__main__":
    run_script(main)
