"""The counts rung for tagging beside a plain CRF of CRFsuite: entity F1 from the same sentences.

    python benchmarks/taggers.py --out docs/records/taggers.json     # half an hour; goes on where it stopped
    python benchmarks/taggers.py --sets conll2003 --sizes 250 1000   # a part of it

The peer is python-crfsuite over a word, its shape, its affixes of one to four letters and the word and shape of two
neighbours each way, c1 0.1, c2 0.01, 100 iterations. CoNLL-2003 (test part: testb) from 250, 1,000, 10,000 and all
sentences, the other sets from 750; means over draws of the sentences. Beside what the rung chose stands each candidate
of its penalty, learned from the same sentences: `regret` is the best of them on the test part minus the chosen one.
Needs the data sets ($WORDWORTH_DATA) and the extra `peers`.
"""

from __future__ import annotations

import argparse
import lzma
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pycrfsuite

from measure import data_file, data_folder, report
from wordworth import seeds
from wordworth.cli.scripts import recorded_part, run_script, writable_path
from wordworth.measures.metrics import metric
from wordworth.representations.feature_rung import RepresentationLearner, RepresentationRung
from wordworth.representations.heads.base import Target
from wordworth.representations.heads.crf_head import CrfChoice, LinearChainCrf
from wordworth.representations.rung import Predictions, RunContext
from wordworth.representations.tagging_features import TagFeatures
from wordworth.tasks.datasets import named_task
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Rows, Task

SIZES = {"conll2003": (250, 1_000, 10_000, 14_041)}
SIZE = 750
NAMED = ("conll2003", "conll2002_es", "conll2002_nl", "ncbi_disease", "bc5cdr")
UNER = ("en_ewt", "da_ddt", "hr_set", "pt_bosque", "sk_snk", "sr_set", "sv_talbanken", "zh_gsd")
PARAMETERS = {"c1": 0.1, "c2": 0.01, "max_iterations": 100}
FEW = 2_000
"""Largest number of sentences at which several draws are made; at larger numbers there is one draw."""


@dataclass(frozen=True, slots=True)
class Score:
    """Entity F1 on the test part, in per cent, and the processor seconds that learning took."""

    f1: float
    seconds: float


def main() -> None:
    """Measure and print; a row that is in the record already is not measured again."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sets", nargs="+", choices=[*NAMED, *UNER], default=[*NAMED, *UNER])
    parser.add_argument("--sizes", nargs="+", type=int, help="only these numbers of sentences")
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument("--out", type=writable_path, help="write the figures here as JSON")
    chosen = parser.parse_args()
    rows = {(row["set"], row["sentences"]): row for row in recorded_part(chosen.out, "rows", list)}
    for name, size in jobs(chosen.sets, chosen.sizes):
        if (name, size) not in rows:
            rows[name, size] = compared(loaded(name), size, chosen.draws if size <= FEW else 1)
            report({"peer": PARAMETERS, "rows": list(rows.values())}, chosen.out)


def jobs(sets: Sequence[str], sizes: Sequence[int] | None) -> list[tuple[str, int]]:
    """Return the sets and numbers of sentences to measure."""
    every = [(name, size) for name in sets for size in SIZES.get(name, (SIZE,))]
    return [(name, size) for name, size in every if sizes is None or size in sizes]


def compared(task: Task, size: int, draws: int) -> dict[str, Any]:
    """Return means over draws of `size` sentences of a set."""
    draws_of_both = [drawn(task, size, draw) for draw in range(draws)]
    row = {"set": task.name, "sentences": size, "draws": draws}
    return row | {key: round(fmean(each[key] for each in draws_of_both), 2) for key in draws_of_both[0]}


def drawn(task: Task, size: int, draw: int) -> dict[str, float]:
    """Score both on one draw of the sentences, and every candidate of ours."""
    rows = seeds.child(draw, "taggers", task.name).permutation(task.train)[:size]
    learner = RepresentationRung(TagFeatures(), LinearChainCrf()).prepare(task, RunContext())
    assert isinstance(learner, RepresentationLearner)
    ours, peer = our_f1(task, learner, rows), peer_f1(task, rows)
    fixed = {penalty: fixed_f1(task, learner, rows, penalty) for penalty in LinearChainCrf().penalties}
    figures = {"ours": ours.f1, "peer": peer.f1, "ahead": ours.f1 - peer.f1, "regret": max(fixed.values()) - ours.f1}
    seconds = {"our_seconds": ours.seconds, "peer_seconds": peer.seconds}
    return figures | {f"penalty_{penalty}": f1 for penalty, f1 in fixed.items()} | seconds


def our_f1(task: Task, learner: RepresentationLearner, rows: Rows) -> Score:
    """Return the counts rung's score, and the processor seconds of choosing and learning."""
    began = time.process_time()
    fitted = learner.fit(rows, np.random.default_rng(0))
    return Score(f1(task, fitted.predict(task.test)), time.process_time() - began)


def fixed_f1(task: Task, learner: RepresentationLearner, rows: Rows, penalty: float) -> float:
    """Return our score with a fixed penalty.

    Args:
        task: what is learned.
        learner: the opened rung.
        rows: the sentences to learn from.
        penalty: the L2 penalty.
    """
    target, test = Target.of(task, rows), Target.of(task, task.test)
    views = learner.features(rows)
    fitted = LinearChainCrf().learn(views, target, CrfChoice(view=next(iter(views)), penalty=penalty))
    return f1(task, fitted.predict(learner.features(task.test)[fitted.view], test.lengths))


def peer_f1(task: Task, rows: Rows) -> Score:
    """Return CRFsuite's score, and the processor seconds of learning."""
    words = task.examples.words or ()
    trainer = pycrfsuite.Trainer(verbose=False, params=PARAMETERS)
    began = time.process_time()
    for row, tags in zip(rows, task.gold(rows), strict=True):
        trainer.append(features(words[row]), [task.classes[tag] for tag in tags])
    with tempfile.TemporaryDirectory() as folder:
        model = str(Path(folder) / "model.crfsuite")
        trainer.train(model)
        seconds, tagger = time.process_time() - began, pycrfsuite.Tagger()
        tagger.open(model)
        numbers = {tag: number for number, tag in enumerate(task.classes)}
        predicted = (tagger.tag(features(words[row])) for row in task.test)
        answers = tuple(np.array([numbers[tag] for tag in tags], np.int64) for tags in predicted)
        tagger.close()
    return Score(f1(task, answers), seconds)


def f1(task: Task, predictions: Predictions) -> float:
    """Return the entity F1 on the test part, in per cent."""
    return 100 * float(metric("entity_f1", task.classes).score(task.gold(task.test), predictions))


def features(words: Sequence[str]) -> list[list[str]]:
    """Return the features of each word of a sentence that a plain CRF reads."""
    own = [[f"w={word.lower()}", f"s={shape(word)}"] for word in words]
    return [
        [
            "bias",
            *own[at],
            *affixes(word),
            *(f"{step}:{mark}" for step in (-2, -1, 1, 2) for mark in near(own, at + step)),
        ]
        for at, word in enumerate(words)
    ]


def near(own: Sequence[Sequence[str]], at: int) -> Sequence[str]:
    """Return the word and shape of a neighbour as features, or the feature of a missing neighbour."""
    return own[at] if 0 <= at < len(own) else ["none"]


def affixes(word: str) -> list[str]:
    """Return the prefixes and suffixes of a word of one to four letters."""
    sizes = range(1, 5)
    return [f"p={word[:size]}" for size in sizes] + [f"e={word[-size:]}" for size in sizes]


def shape(word: str) -> str:
    """Return the shape of a word: `X` for a capital, `x` for another letter, `9` for a digit, other characters kept."""
    return "".join("X" if c.isupper() else "x" if c.isalpha() else "9" if c.isdigit() else c for c in word)


def loaded(name: str) -> Task:
    """Read a set with its test part; UNER's English web texts have no training part, so their dev part is learned."""
    if name in NAMED:
        return named_task(name, held_out="test")
    folder = data_folder() / "parallel" / "uner"
    teacher = data_file(folder, f"{name}_train.iob2*", f"{name}_dev.iob2*")
    test = data_file(folder, f"{name}_test.iob2*")
    with tempfile.TemporaryDirectory() as copies:
        plain = [Path(copies) / f"{number}.conll" for number in range(2)]
        for file, copy in zip((teacher, test), plain, strict=True):
            copy.write_text(without_comments(file), encoding="utf-8")
        return replace(read_task(plain[0], ReadSettings(format="conll", test=plain[1], limit=None)), name=name)


def without_comments(file: Path) -> str:
    """Return the lines of a file that are not comments; a word may be `#` itself."""
    content = file.read_bytes()
    text = (lzma.decompress(content) if file.suffix == ".xz" else content).decode("utf-8")
    return "".join(line for line in text.splitlines(keepends=True) if "\t" in line or not line.startswith("#"))


if __name__ == "__main__":
    run_script(main)
