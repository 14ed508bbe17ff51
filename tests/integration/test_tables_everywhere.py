"""Every parameter that takes the path of a table takes a table of pandas, polars or pyarrow and a list of dicts too.

The calls below are walked for every such parameter of every public function, at the smallest size that works, each with
one of the four in turn: that all four are the same rows to every reader is a test of `in_memory`. A file
of the same rows, whatever it is called, gives the same answer: no random draw depends on a name.
"""

import json
import re
import shutil
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.inference.tuned_model import write_tuned
from tests.models.entity_fusion.fused import write_fused
from tests.public_functions import FUNCTIONS, hints
from tests.representations.tiny_encoder import write_tiny_encoder
from tests.studies.entities.conftest import linked_rows
from tests.studies.layers.small_files import treebank
from tests.test_api_and_command_line import members
from tests.training.pretraining.conftest import PIECES, documents

import wordworth as ww
from wordworth.inference.bulk_embedding import EmbedReport
from wordworth.inference.insert_entity_links import LinkReport
from wordworth.models.int8_and_bit_vectors import Int8Ranges
from wordworth.models.static.distillation import Distilled
from wordworth.records import Record
from wordworth.retrieval.build import IndexReport
from wordworth.testing.sample_tasks import sample_task
from wordworth.text.file_formats.in_memory import ArrowTable
from wordworth.text.subwords.train import TrainedTokenizer
from wordworth.training.pretraining.run import PretrainingResult

HOLD = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.Table.from_pylist, "dicts": list}
FILE, NAME = "renamed.jsonl", re.compile(r"renamed(\.jsonl)?|the ([a-z]+ )?table|predictions")
"""The name of a file of the rows; names of tables, which an answer may hold, but which decide none of its numbers."""


def labelled(kind, size=60, seed=0):
    task = sample_task(kind, size, seed)
    texts = (
        {"text": task.examples.first}
        if task.examples.second is None
        else {"text_a": task.examples.first, "text_b": task.examples.second}
    )
    labels = [task.label_text(label, row) for row, label in enumerate(task.labels)]
    return [dict(zip((*texts, "label"), cells, strict=True)) for cells in zip(*texts.values(), labels, strict=True)]


ROWS = labelled("single", 90)
POOL = [{"text": row["text"]} for row in labelled("single", 150, seed=1)]
TEXTS = [{"text": row["text"]} for row in ROWS[:30]]
QUERIES = [{"query": row["text"], "id": number} for number, row in enumerate(TEXTS)]
NAMED = [{"text": f"The {noun} by the {place} was old in {year} . It left ."}
         for year in range(1900, 1905) for noun, place in (("bank", "river"), ("house", "road"))]  # fmt: skip
SCORED = [
    {"text_a": f"the {word} cat sat on mat {n}", "text_b": f"a {word} cat was on the mat {n}", "score": n % 5}
    for n, word in enumerate(["black", "small", "old", "red", "tired", "young"] * 5)
]
LABELLED_PAIRS = [
    {"text_a": f"the cat sat on mat {n}", "text_b": f"a cat was on mat {n}", "label": ["yes", "no"][n % 2]}
    for n in range(66)
]
SENSES = [
    {"word": "bank", "sense": sense, "sentence": f"the {sense} bank {word}"}
    for sense in ("river", "stone")
    for word in ("the", "cab", "was", "left", "old", "near", "light", "water", "ran")
]
NAMES = ["Ann", "Joan", "Mary", "Ruth", "Eve", "Jane", "Lucy", "Rose"]
PRONOUNS = [
    {"sentence": f"{one} saw {other} because she waved {n} .", "pronoun": "she", "candidates": f"{one}|{other}",
     "answer": other if n % 2 else one}
    for n in range(60) for one, other in [(NAMES[n % 8], NAMES[(n // 8 + n + 1) % 8])] if one != other
]  # fmt: skip
CORPUS = [{"text": text} for text in documents(0, 60)]
TASK, LEARNED = ([{"text": text} for text in documents(seed, count)] for seed, count in ((2, 40), (3, 120)))
KINDS = ("bad", "good", "mixed")
COSTS = [{"true": a, "predicted": b, "cost": 2.0} for a in KINDS for b in KINDS if a != b]
VISITS = [
    {"patient": f"p{patient}", "date": f"2020-0{month}-01", "kind": kind, "code": f"{kind[0]}{(patient + month) % 3}"}
    for patient in range(12)
    for month in (1, 2)
    for kind in ("condition", "medication")
]
LINKS = [{"row": row, "start": 0, "end": 2, "entity": "Q1"} for row in range(3)]
CONDITIONS, MEDICATIONS = ([{"child": f"{kind}{n}", "parent": "root"} for n in range(3)] for kind in "cm")
ONE_ROUND = {"width": 8, "heads": 2, "layers": 1, "rounds": 1, "epochs": 1, "runs": 1, "draws": 100}
SEQUENCES = [{"start": 2 * n, "end": 2 * n + 2, "text": NAMES[n % 8], "group": f"g{n % 3}"} for n in range(30)]
FEW_STEPS = {"k": 2, "depth": 1, "width": 8, "heads": 2, "layers": 1, "steps": 2, "draws": 100, "max_length": 16}
ENTITIES = {"runs": 1, "epochs": 1, "draws": 100, "processes": 1}
QUICK = {"models": "none", "quick": True, "seeds": 2, "draws": 100, "rungs": "tfidf"}
PLAN = {"quick": True, "seeds": 2, "draws": 100, "rungs": ["tfidf", "tiny"]}
ONE_RUN = {"restarts": 1, "learning_rate": 3e-3, "epochs": 1, "processes": 1}
STUDENT = {"layers": 1, "method": "kd", "seeds": 2, "epochs": 1, "processes": 1}
SHORT = {"model_size": "1x32", "steps": 2, "evals": 1, "override": {"batch_size": 4, "lengths": (16, 16)}}


class Files(NamedTuple):
    """What the calls read beside the rows."""

    run: str
    other_run: str
    encoder: str
    tiny: str
    table: str
    tokenizer: str
    pretrained: str
    treebank: str
    features: str
    codebook: str
    fused: str


class Given(NamedTuple):
    """The rows of a call, whatever holds them, the files that it reads, and a folder to write into."""

    rows: object
    files: Files
    out: Path


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    words = sorted({word for row in NAMED for word in row["text"].lower().split()})
    (folder / "table.txt").write_text("".join(f"{word} {row}.0 1.0\n" for row, word in enumerate(words)))
    (folder / "tok").mkdir()
    (folder / "tok" / "vocab.txt").write_text("\n".join(PIECES) + "\n")
    (folder / "tok" / "tokenizer_config.json").write_text('{"do_lower_case": true}')
    (folder / "text.txt").write_text("\n\n".join(documents(0, 20)))
    np.save(folder / "features.npy", np.random.default_rng(0).normal(size=(60, 3)))
    ww.learn_symbols(folder / "features.npy", folder / "codebook", k=2, depth=1)
    ww.pretrain(folder / "text.txt", tokenizer=folder / "tok", out=folder / "pretrained", **SHORT)
    run = write_tuned(folder, steps=20)
    return Files(
        run=str(run),
        other_run=str(shutil.copytree(run, folder / "other_run")),
        encoder=str(folder / "encoder"),
        tiny=str(write_tiny_encoder(folder / "tiny")),
        table=str(folder / "table.txt"),
        tokenizer=str(folder / "tok"),
        pretrained=str(folder / "pretrained"),
        treebank=str(treebank(folder, 30)),
        features=str(folder / "features.npy"),
        codebook=str(folder / "codebook"),
        fused=str(write_fused(folder / "entities")),
    )


def added(it):
    """Add rows to an index of one text."""
    ww.build_index(["a good film"], it.out, model=it.files.tiny)
    return ww.add_to_index(it.rows, it.out)


def tuned(it):
    """Weigh vectors beside words in an index of the texts."""
    ww.build_index(TEXTS, it.out, model=it.files.tiny)
    return ww.tune_search(it.rows, it.out)


def searched_by_a_graph(it):
    """Measure the recall of a graph of an index of the texts, without the times, which differ."""
    ww.build_index(TEXTS, it.out, model=it.files.tiny)
    return ww.build_hnsw(it.rows, it.out, text="query", threads=1).drop(columns=["milliseconds", "exact_milliseconds"])


def plan(it, corpora, **texts):
    """Plan to adapt, by a trial run of one step."""
    return ww.plan_adaptation(it.files.pretrained, corpora, steps=1, device="cpu", **texts)


CALLS = {
    "worth data": (ROWS, lambda it: ww.worth(it.rows, **QUICK)),
    "worth test": (ROWS[60:], lambda it: ww.worth(ROWS[:60], test=it.rows, **QUICK)),
    "worth costs": (COSTS, lambda it: ww.worth(ROWS, costs=it.rows, **QUICK)),
    "worth labels_so_far": (
        ROWS,
        lambda it: ww.worth(POOL, plan=True, labels_so_far=it.rows, to_label=5, **PLAN, models=it.files.tiny),
    ),
    "finetune data": (ROWS, lambda it: ww.finetune(data=it.rows, model=it.files.tiny, out=it.out, **ONE_RUN)),
    "finetune dev": (
        ROWS[60:],
        lambda it: ww.finetune(data=ROWS[:60], dev=it.rows, model=it.files.tiny, out=it.out, **ONE_RUN),
    ),
    "finetune test": (
        ROWS[60:],
        lambda it: ww.finetune(data=ROWS[:60], test=it.rows, model=it.files.tiny, out=it.out, **ONE_RUN),
    ),
    "distill data": (ROWS, lambda it: ww.distill(it.files.run, it.out, data=it.rows, **STUDENT)),
    "distill test": (
        ROWS[60:], lambda it: ww.distill(it.files.run, it.out, data=ROWS[:60], test=it.rows, **STUDENT)
    ),
    "prune data": (ROWS, lambda it: ww.prune(it.files.run, it.out, heads=0.5, data=it.rows, limit=60)),
    "probe data": (ROWS, lambda it: ww.probe(it.rows, it.out, model="mini", limit=60, draws=100)),
    "train_sentences data": (
        SCORED,
        lambda it: ww.train_sentences(
            it.rows, it.out, model=it.files.tiny, loss="cosine", dev=0, epochs=1, max_length=64
        ),
    ),
    "train_sentences dev": (
        SCORED,
        lambda it: ww.train_sentences(
            SCORED, it.out, model=it.files.tiny, loss="cosine", dev=it.rows, epochs=1, max_length=64
        ),
    ),
    "predict data": (TEXTS, lambda it: ww.predict(it.files.run, it.rows, dtype="float32")),
    "evaluate task": (
        [{"label": "x", "prediction": "xy"[n % 2]} for n in range(9)],
        lambda it: ww.evaluate(it.rows, metric="accuracy", draws=100),
    ),
    "evaluate predictions": (
        [{"prediction": "xy"[n % 2]} for n in range(9)],
        lambda it: ww.evaluate([{"label": "x"}] * 9, it.rows, metric="accuracy", draws=100),
    ),
    "load_run predict": (TEXTS, lambda it: ww.load_run(it.files.run).predict(it.rows)),
    "embed texts": (TEXTS, lambda it: ww.embed(it.rows, model=it.files.tiny, dtype="float32")),
    "embed texts into a file": (TEXTS, lambda it: ww.embed(it.rows, it.out / "v.npy", model=it.files.tiny)),
    "build_index texts": (TEXTS, lambda it: ww.build_index(it.rows, it.out, model=it.files.tiny)),
    "add_to_index texts": (TEXTS, added),
    "tune_search labels": (QUERIES, tuned),
    "build_hnsw queries": (QUERIES, searched_by_a_graph),
    "tokenizer corpus": (CORPUS, lambda it: ww.tokenizer(it.rows, out=it.out, size=60, exact=False)),
    "phrases corpus": (
        CORPUS,
        lambda it: ww.phrases(it.rows, tokenizer=it.files.tokenizer, out=it.out / "p.txt", threshold=-1, min_count=2),
    ),
    "pretrain corpora": (
        CORPUS, lambda it: ww.pretrain(it.rows, tokenizer=it.files.tokenizer, out=it.out, **SHORT)
    ),
    "pretrain held_out": (
        CORPUS[:9],
        lambda it: ww.pretrain(CORPUS, tokenizer=it.files.tokenizer, held_out=it.rows, out=it.out, **SHORT),
    ),
    "cascade data": (
        ROWS,
        lambda it: ww.cascade(it.files.run, it.files.other_run, it.rows, it.out, limit=60, draws=100),
    ),
    "plan_adaptation corpora": (LEARNED, lambda it: plan(it, it.rows, task=TASK)),
    "plan_adaptation control": (CORPUS, lambda it: plan(it, LEARNED, task=TASK, control=it.rows)),
    "plan_adaptation task": (TASK, lambda it: plan(it, LEARNED, task=it.rows)),
    "adapt corpora": (
        CORPUS,
        lambda it: ww.adapt(
            it.files.pretrained, it.rows, vocabulary="extend", new_subwords=5, steps=2, out=it.out
        ),
    ),
    "adapt held_out": (
        CORPUS[:9],
        lambda it: ww.adapt(it.files.pretrained, CORPUS, held_out=it.rows, evals=1, steps=2, out=it.out),
    ),
    "to_static corpus": (CORPUS, lambda it: ww.to_static(it.files.pretrained, it.rows, least=2)),
    "study_commonsense data": (
        [{"good": "the dogs are big.", "bad": "the dogs is big."}] * 3,
        lambda it: ww.study_commonsense(model="mini", data=it.rows),
    ),
    "study_context data": (
        NAMED, lambda it: ww.study_context(it.rows, models=it.files.table, draws=100, explorer=0, contexts=2)
    ),
    "study_finetuning data": (
        ROWS,
        lambda it: ww.study_finetuning(
            it.files.run, it.rows, start=it.files.encoder, points=0, limit=60, draws=100
        ),
    ),
    "study_heads data": (ROWS, lambda it: ww.study_heads(it.files.run, it.rows, limit=40, draws=100)),
    "study_shrink data": (ROWS, lambda it: ww.study_shrink(it.files.run, it.rows, limit=40, draws=100)),
    "export data": (
        TEXTS,
        lambda it: Int8Ranges.read(
            ww.export(it.files.tiny, it.out, to="sentence-transformers", data=it.rows)
        ).low,
    ),
    "link_entities data": (TEXTS, lambda it: ww.link_entities(it.rows, LINKS, it.out.with_suffix(".csv"))),
    "link_entities links": (LINKS, lambda it: ww.link_entities(TEXTS, it.rows, it.out.with_suffix(".csv"))),
    "study_entities data": (
        linked_rows(), lambda it: ww.study_entities(it.rows, it.out, model=it.files.fused, **ENTITIES)
    ),
    "study_entities test": (
        linked_rows()[60:],
        lambda it: ww.study_entities(
            linked_rows()[:60], it.out, model=it.files.fused, test=it.rows, **ENTITIES
        ),
    ),
    "study_languages data": (
        [{**row, "language": language} for row in ROWS for language in ("xx", "yy")],
        lambda it: ww.study_languages(it.rows, model=it.files.tiny, limit=40, draws=100),
    ),
    "study_layers data": (
        ROWS, lambda it: ww.study_layers(data=it.rows, model="mini", limit=40, draws=100)
    ),
    "study_neighbours data": (
        NAMED,
        lambda it: ww.study_neighbours("The [bank] by the river was new.", it.rows, model="mini", nearest=3),
    ),
    "study_patterns data": (
        NAMED, lambda it: ww.study_patterns(it.rows, model="mini", length=32, draws=100)
    ),
    "study_relations coreference": (
        PRONOUNS,
        lambda it: ww.study_relations(treebank=it.files.treebank, coreference=it.rows, model="mini", draws=100),
    ),
    "study_codes visits": (
        VISITS, lambda it: ww.study_codes(it.rows, target_ontology=MEDICATIONS, **ONE_ROUND)
    ),
    "study_codes input_ontology": (
        CONDITIONS, lambda it: ww.study_codes(VISITS, input_ontology=it.rows, **ONE_ROUND)
    ),
    "study_codes target_ontology": (
        MEDICATIONS, lambda it: ww.study_codes(VISITS, target_ontology=it.rows, **ONE_ROUND)
    ),
    "study_crossmodal sequences": (
        SEQUENCES, lambda it: ww.study_crossmodal(it.files.features, it.rows, **FEW_STEPS)
    ),
    "encode_symbols sequences": (
        SEQUENCES, lambda it: ww.encode_symbols(it.files.codebook, it.files.features, sequences=it.rows)
    ),
    "study_senses data": (
        SENSES, lambda it: ww.study_senses(models=it.files.table, data=it.rows, draws=100, words=0)
    ),
    "study_sentences data": (
        SCORED, lambda it: ww.study_sentences(model=it.files.tiny, data=it.rows, other_models=(), draws=100)
    ),
    "study_sentences labelled_pairs": (
        LABELLED_PAIRS,
        lambda it: ww.study_sentences(
            model=it.files.tiny, data=SCORED, labelled_pairs=it.rows, other_models=(), draws=100
        ),
    ),
    "study_similarity data": (
        SCORED, lambda it: ww.study_similarity(data=it.rows, model="mini", draws=100, examples=2)
    ),
}  # fmt: skip
"""Function and parameter -> rows, and a call that reads them."""


def plain(answer):  # noqa: PLR0911 - one for each kind of answer
    """The numbers of an answer; speed is none of them."""
    match answer:
        case Record():
            tables = {name: table.columns for name, table in answer.tables.items() if name != "frontier"}
            return NAME.sub("TABLE", json.dumps(tables, default=str, sort_keys=True))
        case PretrainingResult():
            return answer.steps, answer.tokens, answer.loss
        case TrainedTokenizer():
            return answer.words, answer.pieces
        case EmbedReport() | IndexReport() | LinkReport():
            return answer.rows
        case Distilled():
            return answer.vectors.tolist()
        case np.ndarray():
            return answer.tolist()
        case list():
            return [(each.text, each.score, each.count) for each in answer]
        case _:
            return answer.to_dict("list")


@pytest.fixture(scope="module")
def answer_of_columns(files, tmp_path_factory):
    """The answer of each call where its rows are a dict of columns."""

    @cache
    def answer(name):
        rows, call = CALLS[name]
        columns = {column: [row[column] for row in rows] for column in rows[0]}
        return plain(call(Given(columns, files, tmp_path_factory.mktemp("columns") / "out")))

    return answer


SLOW = {
    "probe data",
    "study_finetuning data",
    "study_heads data",
    "study_layers data",
    "study_patterns data",
    "study_shrink data",
}


@pytest.mark.parametrize(
    ("name", "hold"),
    [
        pytest.param(*each, marks=[pytest.mark.slow] * (each[0] in SLOW))
        for each in zip(CALLS, cycle(HOLD), strict=False)
    ],
)
def test_the_answer_is_the_same_whatever_holds_the_rows(name, hold, files, answer_of_columns, tmp_path):
    rows, call = CALLS[name]
    assert plain(call(Given(HOLD[hold](rows), files, tmp_path / "out"))) == answer_of_columns(name)


@pytest.mark.parametrize("name", [pytest.param(each, marks=[pytest.mark.slow] * (each in SLOW)) for each in CALLS])
def test_the_answer_is_that_of_a_file_of_any_name(name, files, answer_of_columns, tmp_path):
    rows, call = CALLS[name]
    (tmp_path / FILE).write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert plain(call(Given(tmp_path / FILE, files, tmp_path / "out"))) == answer_of_columns(name)


def test_every_parameter_that_takes_a_table_is_walked():
    taken = {
        f"{name} {parameter}"
        for name, function in FUNCTIONS.items()
        for parameter, hint in hints(function).items()
        if ArrowTable in set(members(hint))
    }
    assert taken - set(CALLS) == set()
