"""Every parameter that takes the path of a table takes a table of pandas, polars or pyarrow and a list of dicts too.

The calls below are walked for every such parameter of every public function, at the smallest size that works, each with
one of the four, or a dict of columns, in turn: that all are the same rows to every reader is a test of `in_memory`. A
file of the same rows, whatever it is called, gives the same answer: no random draw depends on a name.
"""

import json
import re
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.integration.small_models import SHORT, SmallModels, write_small_models
from tests.integration.small_tables import (
    CONDITIONS,
    CORPUS,
    COSTS,
    LABELLED_PAIRS,
    LEARNED,
    LINKS,
    MEDICATIONS,
    NAMED,
    POOL,
    PRONOUNS,
    QUERIES,
    ROWS,
    SCORED,
    SENSES,
    SEQUENCES,
    TASK,
    TEXTS,
    VISITS,
)
from tests.public_functions import FUNCTIONS, hints
from tests.studies.entities.conftest import linked_rows
from tests.test_api_and_command_line import members

import wordworth as ww
from wordworth.inference.embed_report import EmbedReport
from wordworth.inference.insert_entity_links import LinkReport
from wordworth.models.int8_and_bit_vectors import Int8Ranges
from wordworth.models.static.distillation import Distilled
from wordworth.records import Record
from wordworth.retrieval.build import IndexReport
from wordworth.text.file_formats.in_memory import ArrowTable
from wordworth.text.subwords.train import TrainedTokenizer
from wordworth.training.pretraining.run import PretrainingResult

CONTAINERS = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.Table.from_pylist,
    "dicts": list,
    "columns": lambda rows: {column: [row[column] for row in rows] for column in rows[0]},
}
FILE, NAME = "renamed.jsonl", re.compile(r"renamed(\.jsonl)?|the ([a-z]+ )?table|predictions")
"""The name of a file of the rows; names of tables, which an answer may hold, but which decide none of its numbers."""
ONE_ROUND = {"width": 8, "heads": 2, "layers": 1, "rounds": 1, "epochs": 1, "runs": 1, "draws": 100}
FEW_STEPS = {"k": 2, "depth": 1, "width": 8, "heads": 2, "layers": 1, "steps": 2, "draws": 100, "max_length": 16}
ENTITIES = {"runs": 1, "epochs": 1, "draws": 100, "processes": 1}
QUICK = {"models": "none", "quick": True, "seeds": 2, "draws": 100, "rungs": "tfidf"}
PLAN = {"quick": True, "seeds": 2, "draws": 100, "rungs": ["tfidf", "tiny"]}
ONE_RUN = {"restarts": 1, "learning_rate": 3e-3, "epochs": 1, "processes": 1}
STUDENT = {"layers": 1, "method": "kd", "seeds": 2, "epochs": 1, "processes": 1}


class Inputs(NamedTuple):
    """The rows of a call, whatever holds them, the files that it reads, and a folder to write into."""

    rows: object
    files: SmallModels
    out: Path


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return write_small_models(tmp_path_factory.mktemp("models"))


def added(inputs):
    """Add rows to an index of one text."""
    ww.build_index(["a good film"], inputs.out, model=inputs.files.tiny)
    return ww.add_to_index(inputs.rows, inputs.out)


def tuned(inputs):
    """Weigh vectors beside words in an index of the texts."""
    ww.build_index(TEXTS, inputs.out, model=inputs.files.tiny)
    return ww.tune_search(inputs.rows, inputs.out)


def searched_by_a_graph(inputs):
    """Measure the recall of a graph of an index of the texts, without the times, which differ."""
    ww.build_index(TEXTS, inputs.out, model=inputs.files.tiny)
    return ww.build_hnsw(inputs.rows, inputs.out, text="query", threads=1).drop(
        columns=["milliseconds", "exact_milliseconds"]
    )


def plan(inputs, corpora, **texts):
    """Plan to adapt, by a trial run of one step."""
    return ww.plan_adaptation(inputs.files.pretrained, corpora, steps=1, device="cpu", **texts)


CALLS = {
    "worth data": (ROWS, lambda inputs: ww.worth(inputs.rows, **QUICK)),
    "worth test": (ROWS[60:], lambda inputs: ww.worth(ROWS[:60], test=inputs.rows, **QUICK)),
    "worth costs": (COSTS, lambda inputs: ww.worth(ROWS, costs=inputs.rows, **QUICK)),
    "worth labels_so_far": (
        ROWS,
        lambda inputs: ww.worth(
            POOL, plan=True, labels_so_far=inputs.rows, to_label=5, **PLAN, models=inputs.files.tiny
        ),
    ),
    "finetune data": (
        ROWS,
        lambda inputs: ww.finetune(data=inputs.rows, model=inputs.files.tiny, out=inputs.out, **ONE_RUN),
    ),
    "finetune dev": (
        ROWS[60:],
        lambda inputs: ww.finetune(data=ROWS[:60], dev=inputs.rows, model=inputs.files.tiny, out=inputs.out, **ONE_RUN),
    ),
    "finetune test": (
        ROWS[60:],
        lambda inputs: ww.finetune(
            data=ROWS[:60], test=inputs.rows, model=inputs.files.tiny, out=inputs.out, **ONE_RUN
        ),
    ),
    "distill data": (ROWS, lambda inputs: ww.distill(inputs.files.run, inputs.out, data=inputs.rows, **STUDENT)),
    "distill test": (
        ROWS[60:],
        lambda inputs: ww.distill(inputs.files.run, inputs.out, data=ROWS[:60], test=inputs.rows, **STUDENT),
    ),
    "prune data": (ROWS, lambda inputs: ww.prune(inputs.files.run, inputs.out, heads=0.5, data=inputs.rows, limit=60)),
    "probe data": (ROWS, lambda inputs: ww.probe(inputs.rows, inputs.out, model="mini", limit=60, draws=100)),
    "train_sentences data": (
        SCORED,
        lambda inputs: ww.train_sentences(
            inputs.rows, inputs.out, model=inputs.files.tiny, loss="cosine", dev=0, epochs=1, max_length=64
        ),
    ),
    "train_sentences dev": (
        SCORED,
        lambda inputs: ww.train_sentences(
            SCORED, inputs.out, model=inputs.files.tiny, loss="cosine", dev=inputs.rows, epochs=1, max_length=64
        ),
    ),
    "predict data": (TEXTS, lambda inputs: ww.predict(inputs.files.run, inputs.rows, dtype="float32")),
    "evaluate task": (
        [{"label": "x", "prediction": "xy"[n % 2]} for n in range(9)],
        lambda inputs: ww.evaluate(inputs.rows, metric="accuracy", draws=100),
    ),
    "evaluate predictions": (
        [{"prediction": "xy"[n % 2]} for n in range(9)],
        lambda inputs: ww.evaluate([{"label": "x"}] * 9, inputs.rows, metric="accuracy", draws=100),
    ),
    "load_run predict": (TEXTS, lambda inputs: ww.load_run(inputs.files.run).predict(inputs.rows)),
    "embed texts": (TEXTS, lambda inputs: ww.embed(inputs.rows, model=inputs.files.tiny, dtype="float32")),
    "embed texts into a file": (
        TEXTS,
        lambda inputs: ww.embed(inputs.rows, inputs.out / "v.npy", model=inputs.files.tiny),
    ),
    "build_index texts": (TEXTS, lambda inputs: ww.build_index(inputs.rows, inputs.out, model=inputs.files.tiny)),
    "add_to_index texts": (TEXTS, added),
    "tune_search labels": (QUERIES, tuned),
    "build_hnsw queries": (QUERIES, searched_by_a_graph),
    "tokenizer corpus": (CORPUS, lambda inputs: ww.tokenizer(inputs.rows, out=inputs.out, size=60, exact=False)),
    "phrases corpus": (
        CORPUS,
        lambda inputs: ww.phrases(
            inputs.rows, tokenizer=inputs.files.tokenizer, out=inputs.out / "p.txt", threshold=-1, min_count=2
        ),
    ),
    "pretrain corpora": (
        CORPUS,
        lambda inputs: ww.pretrain(inputs.rows, tokenizer=inputs.files.tokenizer, out=inputs.out, **SHORT),
    ),
    "pretrain held_out": (
        CORPUS[:9],
        lambda inputs: ww.pretrain(
            CORPUS, tokenizer=inputs.files.tokenizer, held_out=inputs.rows, out=inputs.out, **SHORT
        ),
    ),
    "cascade data": (
        ROWS,
        lambda inputs: ww.cascade(
            inputs.files.run, inputs.files.other_run, inputs.rows, inputs.out, limit=60, draws=100
        ),
    ),
    "plan_adaptation corpora": (LEARNED, lambda inputs: plan(inputs, inputs.rows, task=TASK)),
    "plan_adaptation control": (CORPUS, lambda inputs: plan(inputs, LEARNED, task=TASK, control=inputs.rows)),
    "plan_adaptation task": (TASK, lambda inputs: plan(inputs, LEARNED, task=inputs.rows)),
    "adapt corpora": (
        CORPUS,
        lambda inputs: ww.adapt(
            inputs.files.pretrained, inputs.rows, vocabulary="extend", new_subwords=5, steps=2, out=inputs.out
        ),
    ),
    "adapt held_out": (
        CORPUS[:9],
        lambda inputs: ww.adapt(
            inputs.files.pretrained, CORPUS, held_out=inputs.rows, evals=1, steps=2, out=inputs.out
        ),
    ),
    "to_static corpus": (CORPUS, lambda inputs: ww.to_static(inputs.files.pretrained, inputs.rows, least=2)),
    "study_commonsense data": (
        [{"good": "the dogs are big.", "bad": "the dogs is big."}] * 3,
        lambda inputs: ww.study_commonsense(model="mini", data=inputs.rows),
    ),
    "study_context data": (
        NAMED,
        lambda inputs: ww.study_context(inputs.rows, models=inputs.files.table, draws=100, explorer=0, contexts=2),
    ),
    "study_finetuning data": (
        ROWS,
        lambda inputs: ww.study_finetuning(
            inputs.files.run, inputs.rows, start=inputs.files.encoder, points=0, limit=60, draws=100
        ),
    ),
    "study_heads data": (ROWS, lambda inputs: ww.study_heads(inputs.files.run, inputs.rows, limit=40, draws=100)),
    "study_shrink data": (ROWS, lambda inputs: ww.study_shrink(inputs.files.run, inputs.rows, limit=40, draws=100)),
    "export data": (
        TEXTS,
        lambda inputs: (
            Int8Ranges.read(ww.export(inputs.files.tiny, inputs.out, to="sentence-transformers", data=inputs.rows)).low
        ),
    ),
    "link_entities data": (TEXTS, lambda inputs: ww.link_entities(inputs.rows, LINKS, inputs.out.with_suffix(".csv"))),
    "link_entities links": (LINKS, lambda inputs: ww.link_entities(TEXTS, inputs.rows, inputs.out.with_suffix(".csv"))),
    "study_entities data": (
        linked_rows(),
        lambda inputs: ww.study_entities(inputs.rows, inputs.out, model=inputs.files.fused, **ENTITIES),
    ),
    "study_entities test": (
        linked_rows()[60:],
        lambda inputs: ww.study_entities(
            linked_rows()[:60], inputs.out, model=inputs.files.fused, test=inputs.rows, **ENTITIES
        ),
    ),
    "study_languages data": (
        [{**row, "language": language} for row in ROWS for language in ("xx", "yy")],
        lambda inputs: ww.study_languages(inputs.rows, model=inputs.files.tiny, limit=40, draws=100),
    ),
    "study_layers data": (ROWS, lambda inputs: ww.study_layers(data=inputs.rows, model="mini", limit=40, draws=100)),
    "study_neighbours data": (
        NAMED,
        lambda inputs: ww.study_neighbours("The [bank] by the river was new.", inputs.rows, model="mini", nearest=3),
    ),
    "study_patterns data": (NAMED, lambda inputs: ww.study_patterns(inputs.rows, model="mini", length=32, draws=100)),
    "study_relations coreference": (
        PRONOUNS,
        lambda inputs: ww.study_relations(
            treebank=inputs.files.treebank, coreference=inputs.rows, model="mini", draws=100
        ),
    ),
    "study_codes visits": (
        VISITS,
        lambda inputs: ww.study_codes(inputs.rows, target_ontology=MEDICATIONS, **ONE_ROUND),
    ),
    "study_codes input_ontology": (
        CONDITIONS,
        lambda inputs: ww.study_codes(VISITS, input_ontology=inputs.rows, **ONE_ROUND),
    ),
    "study_codes target_ontology": (
        MEDICATIONS,
        lambda inputs: ww.study_codes(VISITS, target_ontology=inputs.rows, **ONE_ROUND),
    ),
    "study_crossmodal sequences": (
        SEQUENCES,
        lambda inputs: ww.study_crossmodal(inputs.files.features, inputs.rows, **FEW_STEPS),
    ),
    "encode_symbols sequences": (
        SEQUENCES,
        lambda inputs: ww.encode_symbols(inputs.files.codebook, inputs.files.features, sequences=inputs.rows),
    ),
    "study_senses data": (
        SENSES,
        lambda inputs: ww.study_senses(models=inputs.files.table, data=inputs.rows, draws=100, words=0),
    ),
    "study_sentences data": (
        SCORED,
        lambda inputs: ww.study_sentences(model=inputs.files.tiny, data=inputs.rows, other_models=(), draws=100),
    ),
    "study_sentences labelled_pairs": (
        LABELLED_PAIRS,
        lambda inputs: ww.study_sentences(
            model=inputs.files.tiny, data=SCORED, labelled_pairs=inputs.rows, other_models=(), draws=100
        ),
    ),
    "study_similarity data": (
        SCORED,
        lambda inputs: ww.study_similarity(data=inputs.rows, model="mini", draws=100, examples=2),
    ),
}
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
            return [(phrase.text, phrase.score, phrase.count) for phrase in answer]
        case _:
            return answer.to_dict("list")


SLOW = {
    "probe data",
    "study_finetuning data",
    "study_heads data",
    "study_layers data",
    "study_patterns data",
    "study_shrink data",
}


@pytest.mark.parametrize(
    ("name", "container"),
    [
        pytest.param(name, container, marks=[pytest.mark.slow] * (name in SLOW))
        for name, container in zip(CALLS, cycle(CONTAINERS), strict=False)
    ],
)
def test_the_answer_is_the_same_whatever_holds_the_rows_and_whatever_its_name(name, container, files, tmp_path):
    rows, call = CALLS[name]
    (tmp_path / FILE).write_text("".join(json.dumps(row) + "\n" for row in rows))
    of_table, of_file = (
        plain(call(Inputs(holder, files, tmp_path / out)))
        for holder, out in ((CONTAINERS[container](rows), "table"), (tmp_path / FILE, "file"))
    )
    assert of_table == of_file


def test_every_parameter_that_takes_a_table_is_walked():
    taken = {
        f"{name} {parameter}"
        for name, function in FUNCTIONS.items()
        for parameter, hint in hints(function).items()
        if ArrowTable in set(members(hint))
    }
    assert taken - set(CALLS) == set()
