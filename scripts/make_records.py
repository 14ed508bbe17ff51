"""Run every command on small made-up inputs and store its output: `python scripts/make_records.py OUT/`.

    python scripts/make_records.py before/      # then change the code
    python scripts/make_records.py after/
    python scripts/compare_records.py before/ after/

OUT gets one JSON file a command: its exit code, what it said, and its files: JSON as it is, arrays and weights as the
SHA-256 of their values. Seeds and threads are fixed, so that two calls with the same code on the same machine differ
only in what `compare_records.IGNORED` names. It takes some five minutes on one core.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from small_inputs import write
from summaries import summary

SOURCE = Path(__file__).resolve().parents[1] / "src"
WORTH = "--model encoder --vectors vectors.txt --seeds 2 --threads 1"
FINETUNE = "--model encoder --restarts 2 --learning-rate 3e-2 --epochs 4 --dev 0.3 --processes 1"
STAGED = "--text-b second --then choices.jsonl --controls"
DISTILL = "--layers 1 --method kd --seeds 2 --epochs 1 --processes 1"
SENTENCES = "--model encoder --text text --text-b second --label label --positive same --max-length 32 --epochs 2"
LEARNING = "--layout lines --override lengths=16,32 --threads 1 --evals 2 --dtype float32 --steps 12"
PRETRAIN = f"--tokenizer tokenizer --model-size 1x8 --override batch_size=8 {LEARNING} --held-out held-out.txt"
SPANS = "--override masking_unit=span --override sequences=ordered"
EXTEND = "--vocabulary extend --new-subwords 20"
OURS = "--override positions=rotary --override init_neighbour_heads=no --override gated_mlp=yes --override biases=no"
LABELS = "--label praise --label blame"
STUDY = "--models encoder vectors.txt --draws 100"
CROSSMODAL = "--k 3 --depth 2 --width 8 --heads 2 --layers 1 --steps 20 --draws 100"
CODES = "--width 8 --heads 2 --layers 1 --rounds 1 --epochs 1 --runs 1 --draws 100"
LANGUAGES = "--model encoder --draws 100"
ENTITIES = "--runs 1 --epochs 1 --draws 100 --processes 1"
PAIRS = "--data pairs.csv --text text --text-b second"
PAPER = "--grid paper --recipe paper --restarts 1 --dev 0.3 --processes 1"
COMMANDS = {
    "models": "models",
    "doctor": "doctor encoder",
    "tokenizer": "tokenizer corpus --size 120 --out tokenizer",
    "phrases": "phrases corpus --tokenizer tokenizer --min-count 2 --threshold 0.2 --out phrases.txt",
    "pretrain": f"pretrain corpus {PRETRAIN} --milestone 0.5 --out pretrain",
    "pretrain-pairs": f"pretrain corpus {PRETRAIN} --recipe paper --out pretrain-pairs",
    "pretrain-spans": f"pretrain corpus {PRETRAIN} {SPANS} --out pretrain-spans",
    "pretrain-ours": f"pretrain corpus {PRETRAIN} {OURS} --out pretrain-ours",
    "pretrain-gpt": f"pretrain corpus {PRETRAIN} --architecture gpt --out pretrain-gpt",
    "pretrain-bilm": f"pretrain corpus {PRETRAIN} --architecture bilm --out pretrain-bilm",
    "fill": "fill pretrain 'the film was [MASK] and we [MASK].'",
    "adapt": f"adapt pretrain --corpus other.txt {LEARNING} --out adapt",
    "adapt-extend": f"adapt pretrain --corpus other.txt {EXTEND} {LEARNING} --out adapt-extend",
    "to-static": "to-static encoder --corpus corpus --least 2 --width 4 --out to-static",
    "to-static-text": "to-static encoder --corpus corpus --method mean --out to-static-text.txt",
    "embed": "embed texts.jsonl --model encoder --dtype float32 --out embed.npy",
    "embed-table": "embed texts.jsonl --model vectors.txt --out embed-table.parquet",
    "worth": f"worth reviews.csv {WORTH} --out worth",
    "worth-quick": "worth reviews.csv --quick --model encoder --out worth-quick",
    "worth-pair": f"worth pairs.csv --text-b second {WORTH} --no-finetune --out worth-pair",
    "worth-regression": f"worth ratings.csv --kind regression {WORTH} --no-finetune --out worth-regression",
    "worth-multilabel": f"worth topics.csv {LABELS} {WORTH} --no-finetune --out worth-multilabel",
    "worth-tags": f"worth names.conll {WORTH} --no-finetune --out worth-tags",
    "finetune": f"finetune --data reviews.csv {FINETUNE} --out finetune",
    "finetune-pair": f"finetune --data pairs.csv --text-b second {FINETUNE} --out finetune-pair",
    "finetune-regression": f"finetune --data ratings.csv --kind regression {FINETUNE} --out finetune-regression",
    "finetune-multilabel": f"finetune --data topics.csv {LABELS} {FINETUNE} --out finetune-multilabel",
    "finetune-tags": f"finetune --data names.conll --crf --bilstm {FINETUNE} --out finetune-tags",
    "finetune-features": f"finetune --data names.conll --features last {FINETUNE} --out finetune-features",
    "finetune-choice": f"finetune --data choices.jsonl --kind multiple_choice {FINETUNE} --out finetune-choice",
    "finetune-staged": f"finetune --data pairs.csv {STAGED} {FINETUNE} --out finetune-staged",
    "finetune-span": f"finetune --data spans.jsonl --kind question_answering {FINETUNE} --out finetune-span",
    "finetune-grid": f"finetune --data reviews.csv --model encoder {PAPER} --out finetune-grid",
    "predict": "predict finetune reviews.csv --dtype float32 --out predict.jsonl",
    "predict-tags": "predict finetune-tags names.conll --dtype float32 --out predict-tags.conll",
    "predict-span": "predict finetune-span spans.jsonl --dtype float32 --out predict-span.jsonl",
    "prune": "prune finetune --heads 0.5 --data reviews.csv --out prune",
    "distill": f"distill finetune {DISTILL} --data reviews.csv --out distill",
    "train-sentences": f"train-sentences pairs.csv {SENTENCES} --out train-sentences",
    "probe": "probe --data reviews.csv --model encoder --draws 100 --out probe",
    "kg-train": "kg train triples.tsv --dimension 8 --epochs 20 --draws 100 --out kg-train",
    "symbols-learn": "symbols learn features.npy --k 3 --depth 2 --out symbols-learn",
    "kg-fuse": "kg fuse encoder kg-train --layers 1 --out kg-fuse",
    "kg-link": "kg link reviews.csv links.csv --entities kg-train --out kg-link.csv",
    "study-entities": f"study entities kg-link.csv --model kg-fuse {ENTITIES} --out study-entities",
    "cascade": "cascade probe finetune --data reviews.csv --draws 100 --out cascade",
    "export": "export encoder --to sentence-transformers --out export",
    "search": "search build texts.jsonl --model vectors.txt --out search",
    "evaluate": "evaluate finetune/predictions.jsonl --draws 100 --json",
    "study-context": f"study context {STUDY} --data sentences.txt --dtype float32 --out study-context",
    "study-senses": f"study senses {STUDY} --data senses.csv --out study-senses",
    "study-similarity": f"study similarity --model encoder {PAIRS} --draws 100 --out study-similarity",
    "study-heads": "study heads finetune --data reviews.csv --draws 100 --out study-heads",
    "study-finetuning": "study finetuning finetune --data reviews.csv --points 5 --draws 100 --out study-finetuning",
    "study-codes": f"study codes visits.csv --target-ontology codes.csv {CODES} --out study-codes",
    "study-crossmodal": f"study crossmodal features.npy captions.csv {CROSSMODAL} --out study-crossmodal",
    "study-languages": f"study languages {LANGUAGES} --data languages.csv --freeze --out study-languages",
    "study-languages-pairs": f"study languages {LANGUAGES} --data translations.csv --out study-languages-pairs",
    "study-languages-tags": f"study languages {LANGUAGES} --data tagged.jsonl --out study-languages-tags",
    "study-words": "study words --models vectors.txt to-static --data wordsets --draws 100 --out study-words",
    "report": "report worth/record.json --out page.html",
}
"""Name of the file or folder that a command writes -> the command; later commands read the output of earlier ones."""

LEFT_OUT = ("*.pt", "events.out.tfevents.*", "*.html")
"""States of runs hold the seconds that they took, and so do their names; a page is drawn from a record, and again."""


def make(out: Path, only: frozenset[str]) -> int:
    """Run the commands one after the other, and return how many failed.

    Args:
        out: folder of the JSON files.
        only: names of the commands to run; empty for all.
    """
    out.mkdir(parents=True, exist_ok=True)
    failed = 0
    with tempfile.TemporaryDirectory() as workspace:
        home = write(Path(workspace) / "inputs")
        for name, line in COMMANDS.items():
            if only and name not in only:
                continue
            began = time.monotonic()
            result = run(home, name, line)
            failed += result["exit"] != 0
            text = json.dumps(result, indent=1, sort_keys=True, ensure_ascii=False)
            (out / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")
            print(f"{name}: exit {result['exit']}, {time.monotonic() - began:.0f} s", flush=True)
            if result["exit"]:
                print(result["errors"])
    return failed


def run(home: Path, name: str, line: str) -> dict[str, object]:
    """Run one command in the folder of the inputs; return its words, exit code, output and files as JSON values."""
    own = {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(SOURCE)}
    own |= {"WORDWORTH_CACHE": str(home.parent / "cache"), "WORDWORTH_DATA": str(home / "none")}
    command = [sys.executable, "-m", "wordworth", *shlex.split(line)]
    done = subprocess.run(command, cwd=home, env={**os.environ, **own}, capture_output=True, text=True, check=False)
    outcome = {"command": line, "exit": done.returncode, "said": done.stdout.splitlines()}
    files = {str(path.relative_to(home)): summary(path) for path in files_of(home, name)}
    return {**outcome, "errors": done.stderr.splitlines(), "files": files}


def files_of(home: Path, name: str) -> list[Path]:
    """Return the files under the name of a command: a folder of that name, or files that begin with it."""
    outputs = [path for path in home.iterdir() if path.name == name or path.name.startswith(f"{name}.")]
    files = [file for path in outputs for file in ([path] if path.is_file() else sorted(path.rglob("*")))]
    return [file for file in files if file.is_file() and not any(map(file.match, LEFT_OUT))]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", nargs="*", default=(), help="names of commands, those that they build on among them")
    options = parser.parse_args()
    sys.exit(min(1, make(options.out, frozenset(options.only))))
