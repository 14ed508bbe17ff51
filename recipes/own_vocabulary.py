"""Does a vocabulary of the domain's own pay? Models trained from scratch with it and with a general one, as SciBERT.

    python recipes/own_vocabulary.py --train train.csv --test test.csv --corpus scientific.jsonl.xz --out own/

After Beltagy et al. (2019, arXiv 1903.10676). Four arms are fine-tuned on --train and scored on --test:

* `plain`: --model as it is;
* `continued`: gone on with the corpus, the vocabulary kept (as BioBERT, and Gururangan et al. 2020);
* `general`: trained from scratch on the corpus, with the vocabulary of --model;
* `own`: trained from scratch on the corpus, with a WordPiece vocabulary of the same size that is learned from it.

All but `plain` read the same text for the same number of steps of as many sequences. A tenth of the corpus is never
learned, nor is a document that shares 13 words in a row with --test; the own vocabulary is learned from what the models
read. `general` and `own` differ in the vocabulary alone; --size is what both are like, by default as `mini`.

Measured are the task's metric; bits a character of unseen text of the corpus, with 15 % of its pieces hidden, and with
whole words hidden, where no piece of a word helps to guess the others; pieces a word of the task's texts; and the share
of the own vocabulary that the general one has.

The stages are `text`, `learn`, `bits`, `tune` and `report`. Every run is a cell: what is done is kept,
`--only 'tune/*/seed-1'` does some, and the same command started several times over shares them out. The end is
`own/own_vocabulary.json` and `own/own_vocabulary.md`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import torch

from parts import tuning
from parts.cells import Cell, deciding_settings, keep_to
from parts.domain_stores import Division, StoreSizes, divide, first_texts, store_of
from parts.held_out_bits import Answers, ask, bits_per_character, on_shared
from parts.masking_report import difference_rows, score_rows
from parts.names_replaced import write_texts
from parts.scored import Scored, scored_of
from parts.stages import make_cells, write_report
from parts.text_arms import (
    DECIDING,
    DIFFERENCES,
    PLAIN,
    add_options,
    learn,
    made_by,
    model_of,
    require_usable,
    results_of,
    task_of,
    tune_cell,
)
from wordworth.checked_json import read_checked
from wordworth.cli.scripts import run_script
from wordworth.errors import BadInput
from wordworth.files import write_text
from wordworth.records import Finding, Record, Table
from wordworth.sentence_formatting import percent
from wordworth.sources import resolve
from wordworth.studies.adaptation.vocabulary_comparison import VOCABULARIES, vocabulary_rows
from wordworth.studies.study import environment
from wordworth.text.corpus.evaluation_overlap import EvaluationTexts
from wordworth.text.file_formats.read import iterate_texts
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.objectives.masking.mask_sampling import MaskingUnit
from wordworth.training.objectives.masking.masking_units import SingleTokens, WholeWords
from wordworth.training.pretraining.pretrain_and_adapt import run

CONTINUED, GENERAL, OWN = "continued", "general", "own"
ARMS = (PLAIN, CONTINUED, GENERAL, OWN)
STAGES = ("text", "learn", "bits", "tune")
UNITS: Mapping[str, MaskingUnit] = {"pieces": SingleTokens(), "words": WholeWords()}
"""What is hidden of unseen text."""
UNSEEN = "unseen text of the domain"
LIKE_ADAPT = ("batch_size=64", "first_phase_fraction=1")
"""Changes of the recipe from scratch, so that a step has as many sequences as one of going on, of 128 pieces all."""
SCORES = {
    "measure": "the task's metric after fine-tuning; or bits a character before it (lower is better), with single "
    "pieces or whole words hidden",
    "on": "the test texts, or unseen text of the domain",
    "policy": "plain: the model as it is; continued: gone on with the domain's text; general, own: from scratch, with "
    "the model's vocabulary or one learned from the text",
    "mean": "over seeds",
    "low": "lower end of the 95 % interval, over seeds and texts (documents)",
    "high": "upper end of it",
    "seeds": "runs",
}
COLUMNS = {
    **VOCABULARIES,
    "per_word": "pieces a word of the task's texts",
    "characters": "characters a piece of unseen text of the domain",
}


def main() -> None:
    options = arguments()
    torch.set_num_threads(1)
    require_usable(options)
    task_of(options)  # bad rows and metrics are refused before anything is written
    keep_to(options.out, deciding(options))
    make_cells(options, lambda: cells_of(options))
    write_report(options, "own_vocabulary", lambda: report(options), ("differences", "scores", "vocabularies"))


def deciding(options: argparse.Namespace) -> dict[str, object]:
    """Return the settings that decide every run, apart from its seed."""
    names = (*DECIDING, "size", "scratch", "characters", "asked", "metric")
    return deciding_settings(options, names, ("train", "test", "corpus"))


def sizes_file(options: argparse.Namespace) -> Path:
    """Return the file on the vocabularies and the texts, which is written last of them."""
    out: Path = options.out
    return out / "text" / "sizes.json"


def store_folder(options: argparse.Namespace, arm: str, part: str) -> Path:
    """Return the folder of a token store.

    Args:
        options: the command line.
        arm: name of the arm, which decides the vocabulary.
        part: `learned` or `unseen`.
    """
    out: Path = options.out
    return out / "text" / (OWN if arm == OWN else GENERAL) / part


def bits_file(options: argparse.Namespace, unit: str, arm: str, seed: int) -> Path:
    """Return the file of a model's losses on unseen text; the model as it is has one for all seeds.

    Args:
        options: the command line.
        unit: what is hidden, one of `UNITS`.
        arm: name of the arm.
        seed: number of the run.
    """
    return made_by(options, f"bits/{unit}", arm, 0 if arm == PLAIN else seed)


def texts_of(options: argparse.Namespace) -> dict[str, Path | None]:
    """Return arm -> the token store that it learns from; None for the model as it is."""
    return {arm: None if arm == PLAIN else store_folder(options, arm, "learned") for arm in ARMS}


def cells_of(options: argparse.Namespace) -> list[Cell]:
    """Return all cells, seed by seed, so that those finished when time is up can be compared."""
    cells = [Cell("text/all", sizes_file(options), partial(write_stores, options))]
    for seed in range(options.seeds):
        for arm in ARMS:
            cells += cells_of_arm(options, arm, seed)
    return cells


def cells_of_arm(options: argparse.Namespace, arm: str, seed: int) -> list[Cell]:
    """Return the cells of an arm and a seed: it learns, is asked for what is hidden, and is fine-tuned.

    Args:
        options: the command line.
        arm: name of the arm.
        seed: number of the run.
    """
    model, task, needs = model_of(options, texts_of(options), arm, seed), partial(task_of, options), sizes_file(options)
    if arm == PLAIN:
        bits = [asking(options, unit, model, arm, seed, (needs,)) for unit in UNITS if seed == 0]
        return [*bits, tune_cell(options, model, arm, seed, task)]
    make = partial(from_scratch if arm in {GENERAL, OWN} else learn, options, store_folder(options, arm, "learned"))
    weights = Path(model) / "model.safetensors"
    return [
        Cell(f"learn/{arm}/seed-{seed}", weights, partial(make, Path(model), seed), (needs,)),
        *(asking(options, unit, model, arm, seed, (needs, weights)) for unit in UNITS),
        tune_cell(options, model, arm, seed, task, (weights,)),
    ]


def asking(options: argparse.Namespace, unit: str, model: str, arm: str, seed: int, needs: Sequence[Path]) -> Cell:
    """Return the cell in which a model is asked for what is hidden of unseen text.

    Args:
        options: the command line.
        unit: what is hidden, one of `UNITS`.
        model: a folder or name.
        arm: name of the arm.
        seed: number of the run.
        needs: files of other cells that must exist.
    """
    made, store = bits_file(options, unit, arm, seed), store_folder(options, arm, "unseen")
    make = partial(ask, model, store, made, options.device, None, UNITS[unit])
    return Cell(f"bits/{unit}/{arm}/seed-{seed}", made, make, needs)


def from_scratch(options: argparse.Namespace, store: Path, folder: Path, seed: int) -> None:
    """Train a model from scratch on a token store, or resume that.

    Args:
        options: the command line.
        store: the token store, which decides the vocabulary.
        folder: folder of the model.
        seed: number of the run.
    """
    run(
        [store],
        out=folder,
        recipe=("modern", (*LIKE_ADAPT, *options.changes, *options.scratch)),
        model_size=options.size,
        steps=options.steps,
        seed=seed,
        device=options.device,
        compiled=False,  # compiling takes longer than so short a run
    )


def write_stores(options: argparse.Namespace) -> None:
    """Divide the corpus, learn the own vocabulary, and write the token stores of both, then their sizes."""
    examples, folder = task_of(options).examples, sizes_file(options).parent
    folder.mkdir(parents=True, exist_ok=True)
    division = divided(options)
    write_texts(division.learned, folder / "learned.jsonl")
    general = Tokenizer.read(resolve(options.model).folder)
    rows = vocabulary_rows(general, [*examples.first, *(examples.second or ())], folder / "learned.jsonl")
    tokenizers = {GENERAL: general, OWN: Tokenizer.read(folder / "learned.tokenizer")}
    length = sum(map(len, division.held_out))
    unseen = dict[str, Any]()
    for row, (name, tokenizer) in zip(rows, tokenizers.items(), strict=True):
        store_of(division.learned, tokenizer, store_folder(options, name, "learned"))
        tokens = store_of(division.held_out, tokenizer, store_folder(options, name, "unseen")).counts["tokens"]
        unseen[name] = asdict(StoreSizes(len(division.held_out), length, tokens, division.shared))
        row["characters"] = length / tokens
    read = {"documents": len(division.learned), "characters": sum(map(len, division.learned))}
    sizes = {"vocabularies": rows, "unseen": unseen, "learned": read}
    write_text(sizes_file(options), json.dumps(sizes, indent=1) + "\n")


def divided(options: argparse.Namespace) -> Division:
    """Return the corpus, divided; of the unseen part the first `--asked` characters, in whole documents.

    Raises:
        BadInput: nothing is left to learn from, or to ask about.
    """
    task = task_of(options)
    tested = task.examples.take(task.test)
    tests = EvaluationTexts.of([*tested.first, *(tested.second or ())])
    texts = (text for _, text in iterate_texts(options.corpus))
    division = divide(texts, tests, options.characters)
    division.check(options.corpus)
    return Division(division.learned, first_texts(division.held_out, options.asked), division.shared)


def report(options: argparse.Namespace) -> Record:
    """Return the record of the finished runs; each measure uses the seeds that all arms have."""
    path = sizes_file(options)
    sizes: dict[str, Any] = read_checked(path) if path.exists() else {}
    scores = measured(options, sizes["unseen"]) if sizes else {}
    if not scores:
        raise BadInput("no seed has runs of all arms yet", where=str(options.out), mend="let the stages before run")
    differences = difference_rows(scores)
    return Record(
        kind="own_vocabulary",
        settings={**deciding(options), "seeds": options.seeds},
        data={
            **{name: getattr(options, name).name for name in ("train", "test", "corpus")},
            **{name: sizes[name] for name in ("learned", "unseen")},
        },
        tables={
            "differences": Table.of(differences, DIFFERENCES),
            "scores": Table.of(score_rows(scores), SCORES),
            "vocabularies": Table.of(sizes["vocabularies"], COLUMNS),
        },
        findings=[verdict(differences, sizes["vocabularies"])],
        environment=environment(1),
    )


def measured(options: argparse.Namespace, unseen: Mapping[str, Any]) -> dict[tuple[str, str], dict[str, Scored]]:
    """Return each measure with arm -> its scores over seeds.

    Args:
        options: the command line.
        unseen: name of a vocabulary -> the sizes of the unseen text in it.
    """
    scores, task, results = dict[tuple[str, str], dict[str, Scored]](), task_of(options), results_of(options, ARMS)
    if results[PLAIN]:
        of_task = {arm: scored_of(tuning.runs_of(each, task)) for arm, each in results.items()}
        scores[task.metric, "test texts"] = of_task
    sizes = {arm: StoreSizes(**unseen[OWN if arm == OWN else GENERAL]) for arm in ARMS}
    for unit in UNITS:
        files = [[bits_file(options, unit, arm, seed) for arm in ARMS] for seed in range(options.seeds)]
        whole = [dict(zip(ARMS, map(Answers.read, each), strict=True)) for each in files if all(map(Path.exists, each))]
        if whole:
            answers = on_shared({arm: [each[arm] for each in whole] for arm in ARMS})
            bits = {arm: bits_per_character(each, sizes[arm], UNSEEN) for arm, each in answers.items()}
            scores[f"bits a character, {unit} hidden", UNSEEN] = bits
    return scores


def verdict(differences: Sequence[Mapping[str, Any]], vocabularies: Sequence[Mapping[str, Any]]) -> Finding:
    """Return what the two vocabularies are like, and what the own one and going on change, in a sentence each.

    Args:
        differences: the rows of `difference_rows`.
        vocabularies: the rows on the model's vocabulary and on the own one.
    """
    general, own = vocabularies
    first = (
        f"The domain's own vocabulary shares {percent(own['shared'])} of its {own['size']:,} pieces with the general "
        f"one, and cuts a word of the task into {own['per_word']:.2f} pieces in place of {general['per_word']:.2f}"
    )
    sentences, numbers = [first], {"shared": own["shared"]}
    for what, policy, other in (
        ("From scratch, the own vocabulary changes", OWN, GENERAL),
        ("It differs from going on with the general one by", OWN, CONTINUED),
        ("Going on changes the model as it is by", CONTINUED, PLAIN),
    ):
        rows = [row for row in differences if (row["policy"], row["other"]) == (policy, other)]
        changes = [
            f"{row['measure']} {row['difference']:+.3f} (95 %: {row['low']:+.3f} to {row['high']:+.3f})" for row in rows
        ]
        sentences.append(f"{what} {'; '.join(changes)}")
        numbers |= {f"{policy} less {other}, {row['measure']}": row["difference"] for row in rows}
    return Finding("verdict", ". ".join(sentences) + ".", numbers)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", type=Path, required=True, help="labelled texts to learn from")
    parser.add_argument("--test", type=Path, required=True, help="labelled texts to test on")
    parser.add_argument("--corpus", type=Path, required=True, help="file of text of the domain")
    parser.add_argument("--characters", type=int, default=20_000_000, help="learned of the corpus, about")
    parser.add_argument("--asked", type=int, default=300_000, help="characters of unseen text to ask about, about")
    parser.add_argument("--metric", help="of the task, such as macro_f1")
    parser.add_argument("--size", default="mini", help="of the models from scratch: a name, or layers x width")
    parser.add_argument(
        "--scratch", nargs="*", default=["learning_rate=2e-3"], help="further ingredients of training from scratch"
    )
    add_options(parser, STAGES)
    return parser.parse_args()


if __name__ == "__main__":
    run_script(main)
