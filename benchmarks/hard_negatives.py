"""What hard negatives add to in-batch negatives: none, labelled contradictions, and mined by three models.

    python benchmarks/hard_negatives.py --steps 300 --seeds 2 --out docs/records/hard_negatives.json

`mini` learns by the ranking loss from the pairs of SNLI and MNLI that are alike, once for each way and seed; STS-B dev
chooses the step, STS-B test judges. Changes are paired with the training without hard negatives of the same seed;
intervals are over the pairs of the test, the mean over seeds. Needs the data sets ($WORDWORTH_DATA).
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

import wordworth as ww
from mixed_texts import data_folder
from wordworth import seeds
from wordworth.measures.metrics import metric
from wordworth.measures.paired_changes import Change, PairedChanges
from wordworth.measures.weighted_sums import Floats
from wordworth.tasks.reading.sentence_rows import SentenceRows, read_sentences, with_positives

NONE, LABELLED = "none", "labelled contradictions"
MINERS = {"mined by itself": "mini", "mined by a static table": "wordllama", "mined by MiniLM": "minilm"}
BATCH, DRAWS = 64, 2_000


def nli_pairs() -> list[dict[str, str]]:
    """Return the pairs of NLI that are alike, with a contradiction as third text where there is one."""
    files = (data_folder() / name / "train.csv.xz" for name in ("snli", "mnli"))
    rows = [with_positives(read_sentences(file), None) for file in files]
    texts = [text for each in rows for text in zip(each.first, each.second, each.third, strict=True)]
    return [dict(zip(("anchor", "positive", "negative"), text, strict=True)) for text in texts]


def cosines(folder: Path, test: SentenceRows) -> Floats:
    """Return the cosines of the pairs of a test by a trained folder, float64."""
    encoder = ww.load(folder)
    first, second = (encoder.encode(list(side), normalize=True) for side in (test.first, test.second))
    products: Floats = (first.astype(float) * second).sum(1)
    return products


def trained(rows: list[dict[str, str]], way: str, seed: int, steps: int, folder: Path) -> Mapping[str, Any]:
    """Train one model; return what the record says of mining.

    Args:
        rows: pairs that are alike.
        way: where hard negatives come from.
        seed: of the training.
        steps: number of updates.
        folder: of the model.
    """
    record = ww.train_sentences(
        rows if way == LABELLED else [{**row, "negative": ""} for row in rows],
        folder,
        model="mini",
        dev=str(data_folder() / "stsb" / "dev.csv.xz"),
        epochs=steps * BATCH / len(rows),
        batch_size=BATCH,
        negatives_from=MINERS.get(way),
        seed=seed,
    )
    notes = [finding.numbers for finding in record.findings if finding.name == "method.hard_negatives"]
    return dict(notes[0]) if notes else {}


def main() -> None:
    """Train every way with every seed, and compare them on the test pairs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    rows = nli_pairs()
    test = read_sentences(data_folder() / "stsb" / "test.csv")
    paired = PairedChanges.of(metric("spearman", ()), test.scores, (), DRAWS, seeds.child(0, "hard_negatives"))
    cosines_of: dict[str, list[Floats]] = {}
    mining: dict[str, Mapping[str, Any]] = {}
    for way in (NONE, LABELLED, *MINERS):
        for seed in range(options.seeds):
            with tempfile.TemporaryDirectory() as folder:
                mining[way] = trained(rows, way, seed, options.steps, Path(folder) / "model")
                cosines_of.setdefault(way, []).append(cosines(Path(folder) / "model", test))
            print(way, seed, flush=True)

    def of_way(way: str) -> dict[str, Any]:
        changes = [paired.change(own, plain) for own, plain in zip(cosines_of[way], cosines_of[NONE], strict=True)]
        mean = Change(fmean(each.value for each in changes), np.mean([each.draws for each in changes], axis=0))
        scores = [paired.score(each) for each in cosines_of[way]]
        ends = mean.interval.columns()
        return {"way": way, "scores": scores, "change": mean.value, **ends, "mining": mining[way]}

    labelled = sum(bool(row["negative"]) for row in rows)
    facts = {"rows": len(rows), "contradictions": labelled, "steps": options.steps, "test": len(test)}
    results = {**facts, "ways": [of_way(way) for way in cosines_of]}
    text = json.dumps(results, indent=1)
    print(text)
    if options.out:
        options.out.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
