"""What a cascade saves and costs: TF-IDF first, a fine-tuned MiniLM where it is unsure.

    PYTHONPATH=benchmarks python benchmarks/cascade.py --rounds 7 --threads 1 --out docs/records/cascade.json

Of each data set, `labels` rows teach both models (MiniLM in one run of three epochs); `rows` others are given to
`wordworth cascade`: half choose the threshold and half measure its loss. All of these are then answered by the second
model alone and by the cascade, in turns, in batches of 64, and some one by one; seconds are those of the processor.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import pandas as pd
import torch

import measure
import wordworth as ww
from wordworth.cli.scripts import run_script
from wordworth.tasks.examples import Examples

SETS = {"mr": "mr/all.csv.xz", "subj": "subj/all.csv.xz", "ag_news": "ag_news/test.csv.xz"}
_ALONE, _CASCADE, _SINGLE = "second alone", "cascade", 200


def main() -> None:
    """Measure each set; report the cascade's share, change and speed."""
    options = measure.arguments(__doc__, labels=3_000, rows=2_000, rounds=7)
    torch.set_num_threads(options.threads)
    parts = ((name, partial(_measured, measure.data_folder() / path, options)) for name, path in SETS.items())
    measure.in_parts(parts, "sets", options.out)


def _measured(path: Path, options: Any) -> dict[str, Any]:
    """Return the figures of one data set."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        rows = pd.read_csv(path).sample(frac=1, random_state=0)[["text", "label"]]
        train, dev = rows[: options.labels], rows[options.labels :][: options.rows]
        ww.worth(train, models="none", rungs="tfidf", out=folder / "study")
        ww.finetune(data=train, model="minilm", epochs=3, restarts=1, batch_size=32, out=folder / "run")
        record = ww.cascade(folder / "study", folder / "run", dev, folder / "cascade", limit=options.rows)
        chosen = record.table("shares").query("chosen").iloc[0].to_dict()
        never = record.table("shares").iloc[0].to_dict()
        texts = tuple(dev["text"])
        return {
            "first alone": {name: never[name] for name in ("score", "change", "low", "high")},
            **{name: chosen[name] for name in ("measured_share", "score", "change", "low", "high")},
            **{f"times as fast, {way}": asdict(spread) for way, spread in _speeds(folder, texts, options.rounds)},
        }


def _speeds(folder: Path, texts: tuple[str, ...], rounds: int) -> Iterator[tuple[str, measure.Spread]]:
    """Yield how many times as fast the cascade answers as the second model alone, in batches and one by one."""
    models = {way: ww.load_run(folder / name).predictor for way, name in ((_ALONE, "run"), (_CASCADE, "cascade"))}
    for way, size, count in (("in batches", 64, len(texts)), ("one by one", 1, _SINGLE)):
        batches = [Examples(texts[start : start + size]) for start in range(0, count, size)]
        works = {name: partial(_answer, model, batches) for name, model in models.items()}
        seconds = measure.in_turns(works, rounds, clock=process_time)
        yield way, measure.ratios(seconds, _ALONE)[_CASCADE]


def _answer(model: Any, batches: list[Examples]) -> None:
    for batch in batches:
        model.answers(batch)


if __name__ == "__main__":
    run_script(main)
