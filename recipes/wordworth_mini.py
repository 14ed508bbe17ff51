"""How `mini`, the model that comes with Wordworth, is made: 4 layers, 256 wide, 16,000 uncased pieces, MLM and NSP.

    python recipes/wordworth_mini.py CORPORA --out made/ --stage text
    torchrun --nproc-per-node 2 recipes/wordworth_mini.py CORPORA --out made/ --stage train --threads 1
    python recipes/wordworth_mini.py CORPORA --out made/ --stage ship

CORPORA is a folder with `general_*.jsonl.xz` (encyclopaedia, books, news; `general_heldout` is looked at, never
learned). Without `--stage` one process does it all; two with a core each read a quarter more a second. Stopped at any
point, the same command goes on. What comes out is `made/mini`: a folder that transformers loads as BertForPreTraining,
its weights in float16; `made/model/training` holds its curve (`log.jsonl`) and what it was on the way (`milestones`).
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import torch

from wordworth.cli.progress_bars import Bars
from wordworth.cli.scripts import run_script, writable_path
from wordworth.files import sha256
from wordworth.models.weight_files import read_safetensors, write_safetensors
from wordworth.text.corpus.read_documents import CorpusSettings
from wordworth.text.corpus.token_store import build_store
from wordworth.text.subwords.settings import TokenizerSettings
from wordworth.text.subwords.train import train_tokenizer
from wordworth.text.tokenizer import Tokenizer
from wordworth.training.pretraining.pretrain_and_adapt import run

CHANGES = (
    "sequences=pairs",
    "mlm_probability=0.2",
    "batch_size=64",
    "lr_schedule=stable",
    "warmup=0.02",
    "learning_rate=2e-3",
)
STEPS, LOOKS = 11_000, 40
MILESTONES = (0.03, 0.1, 0.3)
SOURCES = """
## Sources

30 million words of English: articles of Wikipedia as of 2014 and 2015 (CC BY-SA 3.0), books of Project Gutenberg
(public domain in the USA; most are of the nineteenth century and before), the Brown Corpus (for non-commercial use),
news of the Australian Broadcasting Corporation of 2006, State of the Union and inaugural addresses. Held out: one
document in a hundred of all of these.

The weights are under the Apache License 2.0, as far as they are ours to license. It is a small model for trying things
out: to fill gaps, to study, to continue from. For sentence vectors use another.
"""


def main() -> None:
    chosen = arguments()
    stages = {"text": read_text, "train": train, "ship": ship}
    for stage in stages if chosen.stage == "all" else (chosen.stage,):
        stages[stage](chosen)


def read_text(chosen: argparse.Namespace) -> None:
    """Train the vocabulary, and write the corpora as token stores."""
    learned = sorted(path for path in chosen.corpora.glob("general_*") if "heldout" not in path.name)
    seen = sorted(chosen.corpora.glob("general_heldout*"))
    if not (chosen.out / "tokenizer" / "tokenizer.json").exists():
        train_tokenizer(learned, chosen.out / "tokenizer", TokenizerSettings(size=16_000), Bars())
    read = Tokenizer.read(chosen.out / "tokenizer")
    settings = CorpusSettings(processes=chosen.threads)
    build_store(learned, read, chosen.out / "store", settings, Bars())
    build_store(seen, read, chosen.out / "held-out", settings, Bars())


def train(chosen: argparse.Namespace) -> None:
    """Pretrain the model in float32; as one of several processes if torchrun started it."""
    outcome = run(
        [chosen.out / "store"],
        out=chosen.out / "model",
        recipe=("modern", CHANGES),
        held_out=chosen.out / "held-out",
        model_size="mini",
        steps=STEPS,
        evals=LOOKS,
        milestones=MILESTONES,
        threads=chosen.threads,
        checkpoint_minutes=5.0,
        progress=Bars(),
    )
    print(outcome)


def ship(chosen: argparse.Namespace) -> None:
    """Copy the model's folder without its training state, with weights in float16; print the SHA-256 of the files."""
    model, to = chosen.out / "model", chosen.out / "mini"
    to.mkdir(exist_ok=True)
    for file in model.iterdir():
        if file.is_file() and file.suffix != ".safetensors":
            shutil.copyfile(file, to / file.name)
    with (to / "README.md").open("a", encoding="utf-8") as card:
        card.write(SOURCES)
    weights = {name: tensor.to(torch.float16) for name, tensor in read_safetensors(model / "model.safetensors").items()}
    write_safetensors(weights, to / "model.safetensors")
    print(json.dumps({file.name: sha256(file) for file in sorted(to.iterdir())}, indent=1))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--out", type=writable_path, required=True)
    parser.add_argument("--stage", choices=("all", "text", "train", "ship"), default="all")
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    run_script(main)
