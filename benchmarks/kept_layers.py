"""Heads ablated one by one: what lies below a layer computed once and kept, and computed for every head, by turns.

python benchmarks/kept_layers.py run/ dev.csv --rows 32 --rounds 5

`run/` is the folder of a fine-tuning of a transformer, `dev.csv` has labelled rows. Every head and every whole layer is
ablated by zero, its mean and uniform attention, as `wordworth study heads` does; keeping states counts to their way.
Seconds are the processor's, of one thread, which other work on the machine moves less than the clock.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import torch

import measure
from wordworth.cli.scripts import run_script, writable_path
from wordworth.inference.finetuned_run import read_run
from wordworth.inference.head_importance import head_importance
from wordworth.inference.labelled_inputs import LabelledInputs, labelled_inputs, read_halves
from wordworth.measures.weighted_sums import Predicted
from wordworth.models.pruning import require_all_heads
from wordworth.progress import SILENT
from wordworth.studies.heads.ablation import ABLATIONS, AblatedModel
from wordworth.tasks.reading.settings import ReadSettings

KEPT, RECOMPUTED = "states below kept", "every layer computed"


def main() -> None:
    """Time both ways of ablating all heads, and report seconds, their ratio and the difference of predictions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("--rows", type=int, default=32)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=writable_path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    tuned = read_run(options.run)
    config = require_all_heads(tuned.encoder.model, str(options.run)).config
    task = read_halves(tuned.predictor, options.data, ReadSettings())
    examples = labelled_inputs(tuned.network, task, task.test[: options.rows])
    network = tuned.network.tuned
    with SILENT.step("computing importance", len(examples)) as step:
        mean_output = head_importance(network, examples, step).mean_output
        shape = config.num_layers, config.num_heads
        model = AblatedModel(network, shape, config.causal, mean_output, step)
        ways: dict[str, Callable[[], list[Predicted]]] = {
            KEPT: partial(ablated, model, examples, keep=True),
            RECOMPUTED: partial(ablated, model, examples, keep=False),
        }
        pairs = zip(*(way() for way in ways.values()), strict=True)
        difference = max(float(np.abs(np.subtract(kept, computed)).max()) for kept, computed in pairs)
        seconds = measure.in_turns(ways, options.rounds, clock=time.process_time)
    facts = {"layers": shape[0], "heads": shape[1], "rows": len(examples), "rounds": options.rounds}
    facts |= {"mean tokens": float(examples.inputs.sizes.mean())}
    spreads = {name: measure.Spread.of(each) for name, each in seconds.items()}
    faster = measure.ratios(seconds, RECOMPUTED)[KEPT]
    results = {**facts, "seconds": spreads, "times as fast": faster, "largest difference of a prediction": difference}
    measure.report(results, options.out)


def ablated(model: AblatedModel, examples: LabelledInputs, *, keep: bool) -> list[Predicted]:
    """Predict the examples without each head and without each layer's heads, by every ablation.

    Args:
        model: the model.
        examples: the rows.
        keep: whether the states below a layer are computed once for all its heads.
    """
    predictions = []
    for layer in range(model.shape[0]):
        heads = [(layer, head) for head in range(model.shape[1])]
        upper = model.from_layer(layer, examples) if keep else model
        sets = [*([head] for head in heads), heads]
        predictions += [upper.predict(examples, each, ablation) for ablation in ABLATIONS for each in sets]
    return predictions


if __name__ == "__main__":
    run_script(main)
