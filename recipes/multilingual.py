"""A small multilingual BERT: which vocabulary, and which exponent of sampling, serves which language?

    python recipes/multilingual.py BIBLE/*.tsv.xz --more en=general_misc.jsonl.xz --out runs/

A file for each language, named by it: texts in verses, or anything that `wordworth pretrain` reads. A tenth of each is
never learned, nor are texts of --more that share 13 words in a row with it. Five models are trained for as many steps,
on vocabularies of one size: WordPiece, byte pairs and unigrams at the exponent 0.7 of multilingual BERT, for the counts
of the vocabulary and for the text alike; and WordPiece at 1.0 and 0.3. All are cased, and whole words are masked, so
that models are asked for words whatever their pieces.

The stages are `text`, `tokenizer`, `train`, `bits` and `report`. Every run is a cell: what is done is kept, a run that
was stopped goes on, `--only 'train/unigram-0.7/*'` does some, and the same command started several times over shares
them out. The end is `runs/multilingual.json` and `runs/multilingual.md`: for each language and model the pieces a
word, the unknown words and the bits a character of held-out text, and their differences with 95 % intervals over seeds
and documents.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch

from parts.cells import Cell, keep_to
from parts.held_out_bits import ask
from parts.language_texts import HELD_OUT, LEARNED, divide, language_of, require_languages
from parts.multilingual_report import DIFFERENCES, LANGUAGES, difference_rows, findings, language_rows
from parts.stages import make_cells, write_report
from wordworth.cli.progress_bars import Bars
from wordworth.cli.scripts import run_script, writable_path
from wordworth.errors import BadInput
from wordworth.files import sha256, write_text
from wordworth.records import Record, Table
from wordworth.studies.study import environment
from wordworth.text.corpus.token_store import META, build_store
from wordworth.text.subwords.pre_tokenization import Algorithm
from wordworth.text.subwords.settings import TokenizerSettings
from wordworth.text.subwords.train import train_tokenizer
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.objectives.masking.masking_units import WholeWords
from wordworth.training.pretraining.pretrain_and_adapt import run


class Arm(NamedTuple):
    """The vocabulary and the exponent of sampling of a model."""

    algorithm: Algorithm
    sampling: float

    @property
    def name(self) -> str:
        """The name of the arm in folders and tables."""
        return f"{self.algorithm}-{self.sampling}"


ARMS = (
    Arm("wordpiece", 0.7),
    Arm("byte-level", 0.7),
    Arm("unigram", 0.7),
    Arm("wordpiece", 1.0),
    Arm("wordpiece", 0.3),
)
CHANGES = ("lengths=128,128", "masking_unit=word", "learning_rate=2e-3")
"""Changes of the recipe `modern`, beside the batch."""


def main() -> None:
    options = arguments()
    torch.set_num_threads(1)
    keep_to(options.out, deciding(options))
    make_cells(options, lambda: cells_of(options))
    write_report(options, "multilingual", lambda: report(options), ("languages", "differences"))


def deciding(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that decide every run, apart from its seed."""
    files = {file.name: sha256(file) for file in [*options.files, *options.more.values()]}
    plain = {name: getattr(options, name) for name in ("size", "model_size", "steps", "batch_size", "sequences")}
    return {**plain, "files": files, "more": {language: file.name for language, file in options.more.items()}}


def cells_of(options: argparse.Namespace) -> list[Cell]:
    """Return all cells, seed by seed, so that those finished when time is up can be compared."""
    out: Path = options.out
    text = out / "text" / "done"
    cells = [Cell("text", text, partial(write_texts, options))]
    for arm in ARMS:
        folder = out / "arms" / arm.name
        make = partial(make_stores, arm, options)
        cells.append(Cell(f"tokenizer/{arm.name}", folder / "done", make, (text,)))
    for seed in range(options.seeds):
        for arm in ARMS:
            model, bits = model_folder(options, arm, seed), bits_folder(options, arm, seed)
            weights, needs = model / "model.safetensors", (out / "arms" / arm.name / "done",)
            cells.append(Cell(f"train/{arm.name}/seed-{seed}", weights, partial(train, arm, seed, options), needs))
            make = partial(measure, arm, seed, options)
            cells.append(Cell(f"bits/{arm.name}/seed-{seed}", bits / "done", make, (weights,)))
    return cells


def write_texts(options: argparse.Namespace) -> None:
    """Divide the texts of all languages."""
    divide(options.files, options.more, options.out / "text")
    write_text(options.out / "text" / "done", "")


def make_stores(arm: Arm, options: argparse.Namespace) -> None:
    """Train an arm's tokenizer on what is learned, and build the token stores of all languages."""
    text, folder = options.out / "text", options.out / "arms" / arm.name
    corpora = [text / LEARNED / f"{language}.jsonl" for language in languages(options)]
    settings = TokenizerSettings(
        algorithm=arm.algorithm, size=options.size, lowercase=False, sampling=arm.sampling, exact=False
    )
    train_tokenizer(corpora, folder / "tokenizer", settings, Bars())
    tokenizer = Tokenizer.read(folder / "tokenizer")
    for part in (LEARNED, HELD_OUT):
        for language in languages(options):
            if not (folder / part / language / META).exists():
                build_store(text / part / f"{language}.jsonl", tokenizer, folder / part / language)
    write_text(folder / "done", "")


def train(arm: Arm, seed: int, options: argparse.Namespace) -> None:
    """Train a model of an arm, or resume it."""
    stores = options.out / "arms" / arm.name / LEARNED
    run(
        [stores / language for language in languages(options)],
        out=model_folder(options, arm, seed),
        recipe=("modern", (*CHANGES, f"batch_size={options.batch_size}")),
        model_size=options.model_size,
        steps=options.steps,
        sampling=arm.sampling,
        seed=seed,
        device=options.device,
        progress=Bars(),
    )


def measure(arm: Arm, seed: int, options: argparse.Namespace) -> None:
    """Save a model's losses on the held-out text of each language."""
    folder, stores = bits_folder(options, arm, seed), options.out / "arms" / arm.name / HELD_OUT
    folder.mkdir(parents=True, exist_ok=True)
    for language in languages(options):
        made = folder / f"{language}.npz"
        if not made.exists():
            model = model_folder(options, arm, seed)
            ask(model, stores / language, made, options.device, options.sequences, WholeWords())
    write_text(folder / "done", "")


def model_folder(options: argparse.Namespace, arm: Arm, seed: int) -> Path:
    out: Path = options.out
    return out / "models" / arm.name / f"seed-{seed}"


def bits_folder(options: argparse.Namespace, arm: Arm, seed: int) -> Path:
    out: Path = options.out
    return out / "bits" / arm.name / f"seed-{seed}"


def languages(options: argparse.Namespace) -> list[str]:
    """Return the languages, by name."""
    return sorted(map(language_of, options.files))


def report(options: argparse.Namespace) -> Record:
    """Return the record of the finished runs, of the seeds that all arms have."""
    seeds = [s for s in range(options.seeds) if all((bits_folder(options, arm, s) / "done").exists() for arm in ARMS)]
    if not seeds:
        raise BadInput("no seed has runs of all models yet", where=str(options.out), mend="let the stages before run")
    rows, scored = language_rows(
        options.out / "text",
        {arm.name: (options.out / "arms" / arm.name, arm.sampling) for arm in ARMS},
        {arm.name: [bits_folder(options, arm, seed) for seed in seeds] for arm in ARMS},
        languages(options),
    )
    differences = difference_rows(scored, ARMS[0].name)
    return Record(
        kind="multilingual",
        settings={**deciding(options), "seeds": len(seeds), "changes": list(CHANGES)},
        data={"languages": languages(options)},
        tables={"languages": Table.of(rows, LANGUAGES), "differences": Table.of(differences, DIFFERENCES)},
        findings=findings(differences, len(languages(options)), ARMS[0].name),
        environment=environment(1),
    )


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+", help="a file for each language, named by it")
    parser.add_argument(
        "--more", nargs="*", default=[], help="LANGUAGE=FILE: further text to learn from, without what is held out"
    )
    parser.add_argument("--out", type=writable_path, required=True)
    parser.add_argument("--size", type=int, default=16_000, help="of each vocabulary")
    parser.add_argument("--model-size", default="2x128")
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--batch-size", type=int, default=16, help="sequences in a step, 128 tokens each")
    parser.add_argument("--sequences", type=int, default=400, help="of held-out text of a language, at most")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--device", default="auto", help="cpu, cuda or auto")
    parser.add_argument("--stage", choices=("all", "text", "tokenizer", "train", "bits", "report"), default="all")
    parser.add_argument("--only", nargs="*", default=[], help="patterns of cells, such as 'train/*/seed-1'")
    options = parser.parse_args()
    options.more = more_texts(options.more)
    if len(options.files) == 1:
        raise BadInput("one language alone is no choice of languages", mend="give a file for each of several languages")
    require_languages(options.files, options.more)
    return options


def more_texts(entries: list[str]) -> Mapping[str, Path]:
    """Return language -> file, from `LANGUAGE=FILE` each."""
    pairs = [entry.partition("=") for entry in entries]
    if not all(file for _, _, file in pairs):
        raise BadInput("--more takes LANGUAGE=FILE", mend="such as --more en=general_misc.jsonl.xz")
    return {language: Path(file) for language, _, file in pairs}


if __name__ == "__main__":
    run_script(main)
