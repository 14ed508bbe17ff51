"""Small made-up data under the names that the examples of the documentation use."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.models.tiny_elmo import write_elmo
from tests.tasks.datasets.data_folder import write as write_files

import wordworth as ww
from scripts import small_inputs

CONTEXT = "We saw the film in a hotel by the sea."
TAGGED = "Rome NNP I-NP I-LOC\nis VBZ I-VP O\nbig JJ I-ADJP O\n\n"
PAIRS = (("It rains.", "It is wet.", "entailment"), ("It rains.", "It is dry.", "contradiction"))


def write(folder: Path) -> Path:
    """Write a file, a folder, a model or the record of a run for every name in the examples."""
    small_inputs.write(folder)
    shutil.copytree(folder / "corpus", folder / "texts")
    shutil.copytree(folder / "encoder", folder / "tok")
    write_corpus(folder / "corpus" / "more.txt")
    (folder / "queries.txt").write_text("\n".join(f"a good film of {number}" for number in range(40)) + "\n")
    (folder / "links.tsv").write_text("source\trelation\ttarget\ncat\thypernym\tanimal\nleg\tmeronym\tcat\n")
    (folder / "clips.csv").write_text("text,codes\na film,c1 c2\n,c3\n")
    write_elmo(folder / "elmo")
    write_data_sets(folder / "data")
    write_run(folder)
    return folder


def write_run(folder: Path) -> None:
    """Write the record of a study of two encoders beside a cheap rung."""
    models, rungs = ("minilm", folder / "encoder"), ("tfidf", "minilm", "encoder")
    ww.worth(folder / "reviews.csv", out=folder / "run", models=models, rungs=rungs, seeds=2, draws=100)


def write_corpus(path: Path) -> None:
    """Write so much text that step 1000 of a stream is not thousands of passes away."""
    lines = [sentence for sentence, _, _ in small_inputs.sentences(12_000, 2)]
    documents = ["\n".join(lines[start : start + 20]) for start in range(0, len(lines), 20)]
    path.write_text("\n\n".join(documents) + "\n", encoding="utf-8")


def write_data_sets(folder: Path) -> None:
    """Write the published data sets of the examples, a few rows each, in their published forms."""
    cola = "gj04\t1\t\tIt was good.\ngj04\t0\t*\tWas good it.\n"
    mnli = [f"{number}\t{first}\t{second}\t{label}" for number, (first, second, label) in enumerate(PAIRS)]
    xnli = [f"fr\t{label}\t{first}\t{second}" for first, second, label in PAIRS]
    files = {f"cola/{part}.tsv": cola for part in ("train", "dev")}
    files |= {f"conll2003/eng.{part}": TAGGED for part in ("train", "testa", "testb")}
    files |= {f"squad_v1/{part}-v1.1.json": questions(part) for part in ("train", "dev")}
    files |= {"squad_shifts/new_wiki_v1.0.json": questions("new_wiki")}
    files |= {"mnli/train.tsv": "\n".join(["index\tsentence1\tsentence2\tgold_label", *mnli]) + "\n"}
    files |= {
        f"XNLI-1.0/xnli.{part}.tsv": "\n".join(["language\tgold_label\tsentence1\tsentence2", *xnli]) + "\n"
        for part in ("dev", "test")
    }
    write_files(folder, files)


def questions(part: str) -> str:
    """Return a file in SQuAD's form, with two questions."""
    answer_of = {"what did we see?": "film", "where was it?": "hotel"}
    rows = [
        {
            "id": f"{part}-{number}",
            "question": question,
            "answers": [{"text": answer, "answer_start": CONTEXT.index(answer)}],
        }
        for number, (question, answer) in enumerate(answer_of.items())
    ]
    return json.dumps({"version": "1.1", "data": [{"title": part, "paragraphs": [{"context": CONTEXT, "qas": rows}]}]})
