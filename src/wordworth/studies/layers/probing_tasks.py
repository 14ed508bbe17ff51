"""The probing tasks of the study: published ones, known by name, and those of a user's own files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from wordworth.errors import BadInput, nearest
from wordworth.studies.layers import span_file
from wordworth.studies.layers.settings import LayersSettings
from wordworth.studies.layers.span_file import Reader, SpanFile, Target
from wordworth.studies.layers.span_task import SpanTask, span_task
from wordworth.tasks.formats.data_folders import DATA_VARIABLE, shared_file
from wordworth.tasks.reading.read_task import ReadSettings, read_task
from wordworth.tasks.task import Task
from wordworth.tasks.task_types.classification import CLASSIFICATION
from wordworth.tasks.task_types.multilabel import MULTILABEL
from wordworth.tasks.task_types.tagging import TAGGING
from wordworth.text.read_compressed_file import suffix_of

_EWT = {part: f"syntax/ud/en_ewt-ud-{part}.conllu" for part in ("train", "dev", "test")}
_ROLES = "syntax/relations/uds_protoroles_ewt.jsonl"


@dataclass(frozen=True, slots=True)
class PublishedTask:
    """A published probing task.

    Attributes:
        title: description of what a probe predicts.
        files: part (`train`, `dev`, `test`) -> path of its file under `$WORDWORTH_DATA`. If there is also a part
            `roles`, its file has the labels, and the files of the other parts are the treebank.
        read: function that reads a file of the task.
    """

    title: str
    files: Mapping[str, str]
    read: Reader


TASKS: Mapping[str, PublishedTask] = {
    "pos": PublishedTask("part of speech of a word (UD EWT)", _EWT, span_file.read_tags),
    "chunk": PublishedTask(
        "type of a chunk (CoNLL-2000)",
        {part: f"syntax/chunking/conll2000_{part}.txt" for part in ("train", "test")},
        span_file.read_chunks,
    ),
    "dep": PublishedTask("relation of a word to its head (UD EWT)", _EWT, span_file.read_dependencies),
    "ner": PublishedTask(
        "type of a name (CoNLL-2003)",
        {"train": "conll2003/eng.train", "dev": "conll2003/eng.testa", "test": "conll2003/eng.testb"},
        span_file.read_chunks,
    ),
    "spr": PublishedTask(
        "proto-roles of an argument (UDS on EWT)", {"roles": _ROLES, **_EWT}, span_file.read_span_labels
    ),
    "rel": PublishedTask(
        "relation of two marked things (SemEval-2010 task 8)",
        {part: f"syntax/relations/{part}.txt" for part in ("train", "test")},
        span_file.read_relations,
    ),
    "dpr": PublishedTask(
        "whether a pronoun stands for a candidate (DPR)",
        {part: f"senses/winograd/dpr_{part}.tsv" for part in ("train", "test")},
        span_file.read_pronoun_pairs,
    ),
}
"""Name -> task, in the order in which BERT solves them by Tenney et al. (2019); chunks were not among theirs."""
_SUPPORTED = {CLASSIFICATION.name, MULTILABEL.name, TAGGING.name}


def read_tasks(settings: LayersSettings) -> list[SpanTask]:
    """Return the tasks of a study: the tasks that `tasks` names, in that order, then the task of `data`, if given.

    Raises:
        BadInput: there is no task, a name is unknown, or the data of a task are missing or cannot be used.
    """
    if not settings.tasks and settings.data is None:
        mend = f"give --tasks with some of {', '.join(TASKS)}, or a file of labelled texts with --data"
        raise BadInput("no task is given", mend=mend)
    tasks = [_named(name, settings) for name in settings.tasks]
    if settings.data is not None:
        tasks.append(own_task(settings.data, settings))
    names = [task.name for task in tasks]
    if len(set(names)) < len(names):
        raise BadInput("two tasks have the same name", mend="name each once")
    return tasks


def _named(task: str, settings: LayersSettings) -> SpanTask:
    """Return one task of the setting `tasks`, given there as a name, or as `name=file`."""
    name, equals, path = task.partition("=")
    known = TASKS.get(name)
    if not equals and known is None:
        mend = f"{nearest(name, TASKS)}; of a file of your own write name=file"
        raise BadInput(f"no task {name!r:.60}", where="--tasks", mend=mend)
    if equals:
        file = Path(path)
        read = (
            span_file.read_span_labels
            if suffix_of(file.name) == ".jsonl"
            else (known.read if known else span_file.read_chunks)
        )
        files, title = {"all": read(file)}, file.name
    else:
        assert known is not None  # noqa: S101 - refused above
        files, title = _published(name, known), known.title
    return span_task(name, title, files, settings.limit, settings.seed)


def _published(name: str, known: PublishedTask) -> dict[str, SpanFile]:
    paths = {part: shared_file(Path(file)) for part, file in known.files.items()}
    missing = [known.files[part] for part, path in paths.items() if path is None]
    if missing:
        mend = f"set {DATA_VARIABLE} to a folder with {missing[0]}, or give a file: {name}=my-file"
        raise BadInput(f"the data of {name!r} are not on this machine", where="--tasks", mend=mend)
    located = {part: path for part, path in paths.items() if path is not None}
    if (roles := located.pop("roles", None)) is not None:
        files = span_file.read_proto_roles(roles, list(located.values()))
    else:
        files = {part: known.read(path) for part, path in located.items()}
    return {part: replace(file, published=True) for part, file in files.items()}


def own_task(data: Path | str, settings: LayersSettings) -> SpanTask:
    """Return the probing task of a user's file, whose texts have one label or several, or whose words have tags.

    Args:
        data: the file.
        settings: the settings of the study.

    Raises:
        BadInput: the file cannot be used, its labels are numbers (a regression), or it has pairs of texts.
    """
    read = ReadSettings(text=settings.text, label=settings.label, group=settings.group, seed=settings.seed)
    task = read_task(data, read)
    if task.kind not in _SUPPORTED:
        mend = "give a column of classes with --label, or sentences with a tag for each word"
        raise BadInput(f"a probe cannot learn a task of kind {task.kind.replace('_', ' ')}", where=str(data), mend=mend)
    whole = _span_file(task)
    documents = np.array(whole.documents)
    files = {part: _rows_of(whole, rows, documents) for part, rows in _parts_of(task).items()}
    guessed = next((finding.numbers for finding in task.warnings if finding.name.endswith(".columns")), {})
    name = settings.label or str(guessed.get("label", Path(data).name))
    spans = span_task(name, f"{name} of {Path(data).name}", files, settings.limit, settings.seed, classes=task.classes)
    sources = [{"path": origin.path, "sha256": origin.sha256, "rows": origin.rows} for origin in task.origins]
    warnings = tuple(
        finding for finding in task.warnings if finding.name.startswith("warning.") or finding.name == "method.columns"
    )
    facts = {"kind": task.kind, "columns": task.columns, "exclusive": task.kind != MULTILABEL.name}
    return replace(spans, sources=sources, warnings=warnings, **facts)  # type: ignore[arg-type]  # each has its type


def _parts_of(task: Task) -> dict[str, np.ndarray]:
    dev = {} if task.dev is None else {"dev": task.dev}
    return {"train": task.train, "test": task.test, **dev}


def _span_file(task: Task) -> SpanFile:
    """Return a task as a `SpanFile`, whose spans are single words of a tagging task, or whole texts."""
    clusters = task.examples.groups or task.type.clusters(task.examples)
    number = {cluster: index for index, cluster in enumerate(dict.fromkeys(clusters))}
    documents = [number[cluster] for cluster in clusters]
    texts = task.examples.words if task.type.labels_words else task.examples.first
    assert texts is not None  # noqa: S101 - sentences to tag have words
    targets = [target for row in range(len(texts)) for target in _targets(task, row)]
    return SpanFile(texts, documents, targets, task.name, task.origins[0].sha256)


def _targets(task: Task, row: int) -> Sequence[Target]:
    label = task.labels[row]
    if task.type.labels_words:
        return [Target(row, ((word, word + 1),), (task.classes[int(tag)],)) for word, tag in enumerate(label)]
    held = [int(label)] if task.type.multiclass else np.flatnonzero(label).tolist()
    return [Target(row, ((0, 1),), tuple(task.classes[each] for each in held))]


def _rows_of(whole: SpanFile, rows: np.ndarray, documents: np.ndarray) -> SpanFile:
    number_of = {int(row): index for index, row in enumerate(rows)}
    targets = [each._replace(text=number_of[each.text]) for each in whole.targets if each.text in number_of]
    targets.sort(key=lambda target: target.text)
    return replace(whole, texts=[whole.texts[row] for row in rows], documents=documents[rows].tolist(), targets=targets)
