"""Does text whose names were replaced by placeholders teach a model to find names? The finding on clinical notes.

    python recipes/placeholders.py --train eng.train.xz --test eng.testb.xz --model mini --out placeholders/

Alsentzer et al. (2019, arXiv 1904.03323): going on with clinical notes helps with clinical entities, but not to find
names, and they give as the reason that names in these notes had been replaced by placeholders. Clinical notes need a
licence; here the same is done to any text with tagged names, such as CoNLL-2003. Three arms are fine-tuned on the file
--train and scored on --test:

* `plain`: the model as it is;
* `names`: gone on with the text of --train as it is;
* `placeholders`: gone on with the same text, in which every person is `[**Name**]`, as in notes without names.

Sentences of --train that share 13 words in a row with a sentence of --test, or equal a shorter one, are in neither
text; the record counts them as `left_out`.

Measured are entity F1 on persons and on all other types, and what a hidden name costs the model before it is
fine-tuned, for persons and for other names, in nats a token.

The stages are `text`, `learn`, `cloze`, `tune` and `report`. Every run is a cell: what is done is kept,
`--only 'tune/*/seed-1'` does some, and the same command started several times over shares them out. The end is
`placeholders/placeholders.json` and `placeholders/placeholders.md`.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import torch

from parts.cells import Cell, deciding_settings, keep_to
from parts.masking_report import difference_rows, score_rows, verdict
from parts.name_cloze import Completions, complete, scored
from parts.names_replaced import (
    f1_of_types,
    read_tagged,
    replaced_texts,
    require_type,
    shared_sentences,
    texts_to_leave_out,
    write_names,
    write_texts,
)
from parts.scored import Scored
from parts.stages import make_cells, write_report
from parts.text_arms import (
    DECIDING,
    DIFFERENCES,
    PLAIN,
    add_options,
    arm_cells,
    finished_seeds,
    made_by,
    model_of,
    require_usable,
    results_of,
    texts_of,
)
from wordworth.cli.scripts import run_script
from wordworth.errors import BadInput
from wordworth.records import Finding, Record, Table
from wordworth.studies.study import environment
from wordworth.tasks.reading.read_task import read_task
from wordworth.tasks.reading.settings import ReadSettings
from wordworth.tasks.task import Task
from wordworth.text.corpus.evaluation_overlap import GRAM

NAMES, PLACEHOLDERS = "names", "placeholders"
ARMS = (PLAIN, NAMES, PLACEHOLDERS)
KINDS = ("persons", "other types")
STAGES = ("text", "learn", "cloze", "tune")
F1, NATS, APART = "entity F1", "nats a token of hidden names", "entity F1, persons less other types"
SCORES = {
    "measure": "entity F1 after fine-tuning; its value on persons less that on other types; negative log-probability "
    "of a hidden name before fine-tuning (lower is better)",
    "on": "persons, or all other types",
    "policy": "plain: the model as it is; names, placeholders: gone on with such text",
    "mean": "over seeds",
    "low": "lower end of the 95 % interval, over seeds and documents (sentences where the file marks none)",
    "high": "upper end of it",
    "seeds": "runs",
}


def main() -> None:
    options = arguments()
    torch.set_num_threads(1)
    require_usable(options)
    for path in (options.train, options.test):  # bad rows are refused before anything is written
        require_type(read_tagged(path).types, options.person, path)
    task_of(options.train, options.test, options.limit)
    keep_to(options.out, deciding(options))
    make_cells(options, lambda: cells_of(options))
    write_report(options, "placeholders", lambda: report(options), ("differences", "scores"))


def deciding(options: argparse.Namespace) -> dict[str, object]:
    """Return the settings that decide every run, apart from its seed."""
    settings = deciding_settings(options, (*DECIDING, "limit", "person", "asked"), ("train", "test"))
    return {**settings, "shared_words": GRAM}


def names_file(kind: str, options: argparse.Namespace) -> Path:
    """Return the file of the test sentences in which the names of one kind alone are tagged."""
    out: Path = options.out
    return out / "text" / f"{kind.replace(' ', '-')}.conll"


def cells_of(options: argparse.Namespace) -> list[Cell]:
    """Return all cells, seed by seed, so that those finished when time is up can be compared."""
    texts = texts_of(options, ARMS)
    cells = [Cell(f"text/{arm}", text, partial(make_text, arm, text, options)) for arm, text in texts.items() if text]
    for kind in KINDS:
        made = names_file(kind, options)
        wanted = kind == KINDS[0]
        cells.append(
            Cell(f"text/{kind}", made, partial(write_names, options.test, options.person, made, wanted=wanted))
        )
    for seed in range(options.seeds):
        for arm in ARMS:
            own = arm_cells(options, texts, arm, seed, partial(task_of, options.train, options.test, options.limit))
            cells += [*own, *(asking(kind, arm, seed, options) for kind in KINDS)]
    return cells


def make_text(arm: str, made: Path, options: argparse.Namespace) -> None:
    """Write the text of an arm."""
    replaced = options.person if arm == PLACEHOLDERS else None
    write_texts(replaced_texts(options.train, replaced, texts_to_leave_out(options.test)), made)


def cloze_stage(kind: str) -> str:
    return f"cloze/{kind.replace(' ', '-')}"


def asking(kind: str, arm: str, seed: int, options: argparse.Namespace) -> Cell:
    """Return the cell in which a model is asked for hidden names.

    Args:
        kind: one of `KINDS`.
        arm: one of `ARMS`.
        seed: number of the run.
        options: the command line.
    """
    texts = texts_of(options, ARMS)
    model, made = model_of(options, texts, arm, seed), made_by(options, cloze_stage(kind), arm, seed)
    weights = [] if texts[arm] is None else [Path(model) / "model.safetensors"]
    tagged = names_file(kind, options)
    make = partial(complete, model, tagged, made, options.device, options.asked)
    return Cell(f"{cloze_stage(kind)}/{arm}/seed-{seed}", made, make, (tagged, *weights))


@cache
def task_of(train: Path, test: Path, limit: int | None) -> Task:
    """Return the tagging task of two files."""
    return read_task(train, ReadSettings(kind="tagging", test=test, limit=limit))


def report(options: argparse.Namespace) -> Record:
    """Return the record of the finished runs; each measure uses the seeds that all arms have."""
    scores = {**f1_scores(options), **cloze_scores(options)}
    if not scores:
        raise BadInput("no seed has runs of all arms yet", where=str(options.out), mend="let the stages before run")
    differences = difference_rows(scores)
    return Record(
        kind="placeholders",
        settings={**deciding(options), "seeds": options.seeds},
        data={"train": options.train.name, "test": options.test.name, **sentence_counts(options)},
        tables={"differences": Table.of(differences, DIFFERENCES), "scores": Table.of(score_rows(scores), SCORES)},
        findings=[answer(scores, differences)],
        environment=environment(1),
    )


def sentence_counts(options: argparse.Namespace) -> dict[str, int]:
    """Return the number of training sentences, and of those among them that no model goes on with: `left_out`."""
    shared = shared_sentences(read_tagged(options.train), texts_to_leave_out(options.test))
    return {"sentences": len(shared), "left_out": sum(shared)}


def f1_scores(options: argparse.Namespace) -> dict[tuple[str, str], dict[str, Scored]]:
    """Return the entity F1 of all arms on persons, on other types, and the difference of both."""
    results, task = results_of(options, ARMS), task_of(options.train, options.test, options.limit)
    if not results[PLAIN]:
        return {}
    by_kind = {
        kind: {
            arm: f1_of_types(of_arm, task, options.person, wanted=kind == KINDS[0]) for arm, of_arm in results.items()
        }
        for kind in KINDS
    }
    apart = {arm: by_kind[KINDS[0]][arm].minus(by_kind[KINDS[1]][arm]) for arm in ARMS}
    return {(F1, kind): by_kind[kind] for kind in KINDS} | {(APART, "test sentences"): apart}


def cloze_scores(options: argparse.Namespace) -> dict[tuple[str, str], dict[str, Scored]]:
    """Return the nats a token of hidden names of all arms, by the kind of name."""
    scores = {}
    for kind in KINDS:
        stage = cloze_stage(kind)
        seeds = finished_seeds(options, stage, ARMS)
        if seeds:
            answers = {arm: [Completions.read(made_by(options, stage, arm, seed)) for seed in seeds] for arm in ARMS}
            scores[NATS, kind] = {arm: scored(of_arm, "nats", 1) for arm, of_arm in answers.items()}
    return scores


def answer(scores: Mapping[tuple[str, str], Mapping[str, Scored]], differences: Sequence[Mapping[str, Any]]) -> Finding:
    """Return the verdict, with what placeholders change in F1 on persons beyond other types as its headline.

    Args:
        scores: measure and what it is taken on -> arm -> its scores.
        differences: the rows of the table of differences.
    """
    whole, apart = verdict(differences, "texts"), scores.get((APART, "test sentences"))
    if apart is None:
        return whole
    gap = apart[PLACEHOLDERS].minus(apart[NAMES])
    low, high = 100 * gap.interval.low, 100 * gap.interval.high
    headline = (
        f"Placeholders in place of names change F1 on persons by {100 * gap.mean:+.1f} points beyond other types "
        f"(95 %: {low:+.1f} to {high:+.1f})."
    )
    ends = {"apart": gap.mean, "apart_low": gap.interval.low, "apart_high": gap.interval.high}
    return Finding("verdict", whole.text, {**whole.numbers, **ends, "headline": headline})


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", type=Path, required=True, help="tagged sentences to go on with and to learn from")
    parser.add_argument("--test", type=Path, required=True, help="tagged sentences to test on")
    parser.add_argument("--person", default="PER", help="type of the entities that are replaced")
    parser.add_argument("--limit", type=int, help="most sentences to fine-tune on")
    parser.add_argument("--asked", type=int, default=500, help="most hidden names of a kind")
    add_options(parser, STAGES)
    return parser.parse_args()


if __name__ == "__main__":
    run_script(main)
