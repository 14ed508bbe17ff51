"""How `mini`, the model that comes with Wordworth, is made: 4 layers, 256 wide, 16,000 uncased pieces, MLM and NSP.

    python recipes/wordworth_mini.py CORPORA --out made/ [--threads 2]

CORPORA is a folder with `general_*.jsonl.xz` (encyclopaedia, books, news; `general_heldout` is looked at, never
learned). Stopped at any point, the same command goes on. What comes out is `made/mini`: a folder that transformers
loads as BertForPreTraining, its weights in float16, and `made/model/training/log.jsonl`, its curve.

The one that is shipped was planned for 30,000 steps and ended earlier: its end was moved as `--steps` allows, with
1,200 steps for the fall of the rate. Trained anew it is not the same to the bit.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path

import torch

from wordworth.cli.bars import Bars
from wordworth.files import sha256
from wordworth.models.safetensors_file import read_safetensors, write_safetensors
from wordworth.text.corpus.documents import CorpusSettings
from wordworth.text.corpus.store import build_store
from wordworth.text.tokenizer import Tokenizer
from wordworth.text.wordpiece_training import WordPieceSettings, train_wordpiece
from wordworth.training.pretraining.command import run

CHANGES = ("sequences=pairs", "masking=0.2", "batch=32", "curve=stable", "warmup=0.01", "rate=1.5e-3")
STEPS = 12_000
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
    learned = sorted(path for path in chosen.corpora.glob("general_*") if "heldout" not in path.name)
    seen = sorted(chosen.corpora.glob("general_heldout*"))
    tokenizer, store, held_out = (chosen.out / name for name in ("tokenizer", "store", "held-out"))
    if not (tokenizer / "tokenizer.json").exists():
        train_wordpiece(learned, tokenizer, WordPieceSettings(size=16_000), Bars())
    read = Tokenizer.read(tokenizer)
    settings = CorpusSettings(processes=chosen.threads)
    build_store(learned, read, store, settings, Bars())
    build_store(seen, read, held_out, settings, Bars())
    found = run(
        [store],
        out=chosen.out / "model",
        recipe=("modern", CHANGES),
        held_out=held_out,
        shape="mini",
        steps=STEPS,
        looks=100,
        threads=chosen.threads,
        checkpoint_minutes=5.0,
        progress=Bars(),
    )
    print(found)
    print(ship(found.folder, chosen.out / "mini"))


def ship(model: Path, to: Path) -> str:
    """Copy the model's folder without its training, the weights in float16; the SHA-256 of what came out."""
    to.mkdir(exist_ok=True)
    for file in model.iterdir():
        if file.is_file() and file.suffix != ".safetensors":
            shutil.copyfile(file, to / file.name)
    with (to / "README.md").open("a", encoding="utf-8") as card:
        card.write(SOURCES)
    weights = {name: tensor.to(torch.float16) for name, tensor in read_safetensors(model / "model.safetensors").items()}
    write_safetensors(weights, to / "model.safetensors")
    return json.dumps({file.name: sha256(file) for file in sorted(to.iterdir())}, indent=1)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpora", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--threads", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
