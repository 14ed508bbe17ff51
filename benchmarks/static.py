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
from wordworth.cli.scripts import run_script, writable_path
from wordworth.files import sha256, write_text
from wordworth.models.static.distillation import to_static
from wordworth.models.static.distillation.vocabulary import read_sentences
from wordworth.records import Record
from wordworth.sources import resolve
from wordworth.studies.word_benchmarks import words
from wordworth.text.corpus.read_documents import CorpusSettings, corpus_files
from wordworth.text.word_boundaries import words as spans

OTHERS = ("glove", "wordllama")


def makers(model: str, corpus: list[Path]) -> Mapping[str, Callable[[Path], Path]]:
    """Return functions that write a table into a folder, or beside it, and return its path, by name."""
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
    """Distil the same weights by model2vec as it comes: 256 components, Zipf weights, float16."""
    from model2vec.distill import distill

    distill(str(resolve(model).folder), device="cpu").save_pretrained(folder)
    return folder


def sgns(corpus: Sequence[Path], path: Path) -> Path:
    """Train a table without an encoder: gensim's skip-gram with negative samples, 256 wide, five passes."""
    from gensim.models import Word2Vec

    texts = [text.lower() for text in read_sentences(corpus, CorpusSettings())]
    split = [[text[start:end] for start, end in spans(text)] for text in texts]
    Word2Vec(split, vector_size=256, sg=1, min_count=5, seed=0, workers=1).wv.save_word2vec_format(str(path))
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, nargs="+", help="text whose words become the vocabulary")
    parser.add_argument("--model", default="minilm")
    parser.add_argument("--out", type=writable_path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tables, seconds, sizes = {}, {}, {}
        for name, make in makers(options.model, options.corpus).items():
            began = time.perf_counter()
            tables[name] = make(Path(folder) / name)
            seconds[name] = time.perf_counter() - began
            sizes[name] = bytes_of(tables[name])
            print(f"{name}: {seconds[name]:.0f} s, {sizes[name] / 1e6:.1f} MB", flush=True)
        record = words([*tables.values(), *OTHERS], sets=("similarity",))
    figures: dict[str, Any] = {
        "corpus": corpus_identity(options.corpus),
        **scores(record),
        "seconds": seconds,
        "bytes": sizes,
    }
    show(figures["means"])
    if options.out is not None:
        write_text(options.out, json.dumps({**figures, "machine": machine()}, indent=1, sort_keys=True) + "\n")


def bytes_of(table: Path) -> int:
    """Return the bytes of a table on disk, a file or a folder of files."""
    return sum(file.stat().st_size for file in [table, *table.rglob("*")] if file.is_file())


def corpus_identity(corpus: Sequence[Path]) -> dict[str, Any]:
    """Return the files of the corpus with their hashes, and the number of sentences and words."""
    files, lengths = corpus_files(corpus), [len(spans(text)) for text in read_sentences(corpus, CorpusSettings())]
    named = [{"name": file.name, "bytes": file.stat().st_size, "sha256": sha256(file)} for file in files]
    return {"files": named, "sentences": len(lengths), "words": sum(lengths)}


def scores(record: Record) -> dict[str, list[dict[str, Any]]]:
    """Return the means over the similarity sets and the paired gaps, tables by name and not by path."""
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
    run_script(main)
