"""Static tables from one encoder, ours and model2vec's, beside SGNS, wordllama and GloVe, on word similarity.

    WORDWORTH_DATA=data python benchmarks/static.py texts/ --out record.json

Every table is scored by the same code (`wordworth study words`) on the same pairs, drawn again together, so that the
differences are paired. Needs `wordworth[peers]`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from measure import machine
from wordworth.files import sha256
from wordworth.models.static.distillation import to_static
from wordworth.models.static.distillation.vocabulary import read_sentences
from wordworth.records import Record
from wordworth.sources import resolve
from wordworth.studies.word_benchmarks import words
from wordworth.text.corpus.documents import CorpusSettings, corpus_files
from wordworth.text.word_boundaries import words as spans

OTHERS = ("glove", "wordllama")


def makers(model: str, corpus: list[Path]) -> Mapping[str, Callable[[Path], Path]]:
    """Tables by name: each is written into a folder or beside it, and its place comes back."""
    return {
        "model2vec": lambda folder: model2vec(model, folder),
        "sgns": lambda folder: sgns(corpus, folder.with_suffix(".txt")),
        "pieces": lambda folder: ours(folder, model, method="pieces", sif=1e-4),
        "mean": lambda folder: ours(folder, model, corpus, method="mean"),
        "pc1": lambda folder: ours(folder, model, corpus, method="pc1"),
    }


def ours(folder: Path, model: str, corpus: Sequence[Path] = (), **settings: Any) -> Path:
    to_static(model, corpus, **settings).save(folder)
    return folder


def model2vec(model: str, folder: Path) -> Path:
    """Its own distillation of the same weights, as it comes: 256 components, Zipf weights, float16."""
    from model2vec.distill import distill

    distill(str(resolve(model).folder), device="cpu").save_pretrained(folder)
    return folder


def sgns(corpus: Sequence[Path], path: Path) -> Path:
    """No encoder at all: skip-gram with negative samples from the same text, by gensim; 256 wide, five passes."""
    from gensim.models import Word2Vec

    texts = [text.lower() for text in read_sentences(corpus, CorpusSettings())]
    split = [[text[start:end] for start, end in spans(text)] for text in texts]
    Word2Vec(split, vector_size=256, sg=1, min_count=5, seed=0, workers=1).wv.save_word2vec_format(str(path))
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, nargs="+", help="text whose words become the vocabulary")
    parser.add_argument("--model", default="minilm")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        places, seconds, sizes = {}, {}, {}
        for name, make in makers(given.model, given.corpus).items():
            began = time.perf_counter()
            places[name] = make(Path(place) / name)
            seconds[name] = time.perf_counter() - began
            sizes[name] = bytes_of(places[name])
            print(f"{name}: {seconds[name]:.0f} s, {sizes[name] / 1e6:.1f} MB", flush=True)
        record = words([*places.values(), *OTHERS], sets=("similarity",))
    found: dict[str, Any] = {"corpus": described(given.corpus), **scores(record), "seconds": seconds, "bytes": sizes}
    show(found["means"])
    if given.out is not None:
        given.out.write_text(json.dumps({**found, "machine": machine()}, indent=1, sort_keys=True) + "\n")


def bytes_of(table: Path) -> int:
    """What a table takes on disk, a file or a folder of files."""
    return sum(file.stat().st_size for file in [table, *table.rglob("*")] if file.is_file())


def described(corpus: Sequence[Path]) -> dict[str, Any]:
    """The text that gave the vocabulary, so that it can be told again: its files and how much they hold."""
    files, lengths = corpus_files(corpus), [len(spans(text)) for text in read_sentences(corpus, CorpusSettings())]
    named = [{"name": file.name, "bytes": file.stat().st_size, "sha256": sha256(file)} for file in files]
    return {"files": named, "sentences": len(lengths), "words": sum(lengths)}


def scores(record: Record) -> dict[str, list[dict[str, Any]]]:
    """The means over the similarity sets and the paired gaps, tables by their names and not by where they stood."""
    tables = {name: record.tables[name].rows() for name in ("means", "gaps")}
    return {
        name: [row | {side: Path(row[side]).stem for side in ("model", "against") if side in row} for row in rows]
        for name, rows in tables.items()
    }


def show(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        if row["policy"] != "drop":
            between = f"{row['low']:.3f} to {row['high']:.3f}"
            print(
                f"{row['model']:<10} {row['policy']:<7} {row['score']:.3f} ({between}), {row['covered']:.1%} of pairs"
            )


if __name__ == "__main__":
    main()
