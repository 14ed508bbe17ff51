"""`SpanTask`: the targets (spans to label) of a probing task as arrays, with its training, dev and test texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.files import content_key
from wordworth.measures.weighted_sums import Flags, Integers
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of
from wordworth.studies.layers.span_file import SpanFile, Target, Words
from wordworth.text.corpus.index_ranges import ranges

_DEV, _TEST, _DEV_OF_TRAIN = 0.15, 0.25, 0.15
_FEW_DOCUMENTS, _FEWEST = 20, 8
Parts = tuple[Integers, Integers, Integers]
"""Numbers of the training texts; of the dev texts, which decide when to stop and what is chosen; of the test texts."""


@dataclass(frozen=True, slots=True, eq=False)
class SpanTask:
    """A probing task: targets (one span of a text, or two), each with labels that a probe has to predict.

    Attributes:
        name: name of the task, as the user wrote it.
        title: description of what a probe predicts.
        texts: the words of each sentence; or whole texts, each of which counts as one word.
        text_of: int64 [targets], the index of each target's text, ascending.
        spans: int64 [targets, spans of a target, 2], for each of a target's spans (one or two) the index of its first
            word and of the word after its last.
        labels: bool [targets, classes], whether each target has each label.
        classes: names of the labels.
        exclusive: whether each target has exactly one label.
        parts: the indices of the training, dev and test texts, int64 [n] each, in random order; no document is in two
            parts.
        sources: path, SHA-256 and number of texts of each file.
        seed_names: strings from which random seeds are derived: first one string for the task's probes; then the
            strings for resamples of its texts, which are equal in all tasks on the same texts. They are the name and
            the hashes of files for a published task, else keys of the content.
        kind: the kind of task of a saved probe: classification, multilabel or tagging; empty for a file of spans.
        columns: names of the columns of texts in the user's file.
        warnings: findings about the user's data.
    """

    name: str
    title: str
    texts: Sequence[Words | str]
    text_of: Integers
    spans: Integers
    labels: Flags
    classes: tuple[str, ...]
    exclusive: bool
    parts: Parts
    sources: Sequence[Mapping[str, object]]
    seed_names: tuple[str, tuple[str, ...]]
    kind: str = ""
    columns: tuple[str, ...] = ()
    warnings: tuple[Finding, ...] = ()

    @property
    def whole_texts(self) -> bool:
        """Whether the targets that a probe labels are whole texts, and not words or spans."""
        return isinstance(self.texts[0], str)

    @property
    def sides(self) -> int:
        """The number of spans that make up each target: one or two."""
        return int(self.spans.shape[1])

    def targets_of(self, texts: Integers) -> Integers:
        """Return the indices of the targets (spans to label) of some texts, text by text.

        Args:
            texts: int64 [texts], the indices of the texts.

        Returns:
            int64 [targets].
        """
        first, last = np.searchsorted(self.text_of, texts, "left"), np.searchsorted(self.text_of, texts, "right")
        return ranges(first, last - first)

    def control_labels(self, seed: int) -> Flags | None:
        """Return random labels for the control task of Hewitt and Liang (2019, section 2), bool [targets, classes].

        Every word type gets the labels of a random target, the same wherever the word occurs. The word type of a target
        is the first word of its first span. The result is None if targets are whole texts, which do not recur.

        Args:
            seed: seed of the study.
        """
        if self.whole_texts:
            return None
        drawn = seeds.child(seed, "layers", "control", self.seed_names[0]).integers(
            len(self.labels), size=len(self.labels)
        )
        _, first, number = np.unique(self.types(), return_index=True, return_inverse=True)
        return self.labels[drawn[first[number]]]

    def types(self) -> Sequence[str]:
        """Return the word type of each target: the first word of its first span, in lower case."""
        starts = self.spans[:, 0, 0].tolist()
        return [self.texts[row][start].lower() for row, start in zip(self.text_of.tolist(), starts, strict=True)]


def span_task(
    name: str, title: str, files: Mapping[str, SpanFile], limit: int, seed: int, *, classes: Sequence[str] = ()
) -> SpanTask:
    """Return the task of labelling the spans in files: one file, which is split by document, or a file for each part.

    Args:
        name: name of the task.
        title: description of what a probe predicts.
        files: name of a part -> its file. The names are `all` alone, or `train` and `test`, with or without `dev`.
        limit: largest number of training texts; dev texts are at most a quarter as many, test texts half as many.
        seed: seed of the split and of the draw of texts.
        classes: names of the labels; if empty, the labels that occur in the targets.

    Raises:
        BadInput: a part has too few texts, some targets have one span and some two, or there is only one label.
    """
    texts = [text for file in files.values() for text in file.texts]
    starts = dict(zip(files, np.cumsum([0, *(len(file.texts) for file in files.values())]).tolist(), strict=False))
    targets = [
        target._replace(text=target.text + starts[part]) for part, file in files.items() for target in file.targets
    ]
    published, where = next((file.published, file.name) for file in files.values())
    if len({len(target.spans) for target in targets}) > 1:
        raise BadInput("some targets have one span and some two", where=where, mend="give all of them the same number")
    text_of = np.array([target.text for target in targets], np.int64)
    of_texts = content_key(*texts)
    parts = _parts(files, starts, np.unique(text_of), seed)
    _require_texts(parts, name, where)
    parts = _drawn(parts, limit, seed, where if published else of_texts)
    learned = np.isin(text_of, parts[0])
    named = tuple(classes) or tuple(sorted({label for target in targets for label in target.labels}))
    labels = _flags(targets, named)
    if (labels[learned].any(0) & ~labels[learned].all(0)).sum() == 0:
        raise BadInput(
            f"every target has the same label: {named[0]!r:.60}", where=where, mend="give two classes or more"
        )
    return SpanTask(
        name=name,
        title=title,
        texts=texts,
        text_of=text_of,
        spans=np.array([target.spans for target in targets], np.int64),
        labels=labels,
        classes=named,
        exclusive=bool((labels.sum(1) == 1).all()),
        parts=parts,
        sources=[{"path": file.name, "sha256": file.sha256, "rows": len(file.texts)} for file in files.values()],
        seed_names=(name, tuple(file.sha256 for file in files.values()))
        if published
        else (content_key(of_texts, targets), (of_texts,)),
    )


def _flags(targets: Sequence[Target], classes: Sequence[str]) -> Flags:
    number = {label: index for index, label in enumerate(classes)}
    flags = np.zeros((len(targets), len(classes)), np.bool_)
    rows = np.repeat(np.arange(len(targets)), [len(target.labels) for target in targets])
    flags[rows, [number[label] for label in chain.from_iterable(target.labels for target in targets)]] = True
    return flags


def _parts(files: Mapping[str, SpanFile], starts: Mapping[str, int], used: Integers, seed: int) -> Parts:
    """Return the indices of the training, dev and test texts that have targets.

    Parts without a file of their own are split off another part, whole documents at a time, or text by text if there
    are fewer than `_FEW_DOCUMENTS` documents.

    Args:
        files: name of a part, or `all` -> its file.
        starts: name of a part, or `all` -> index of the file's first text among the texts of all files.
        used: int64, indices of the texts that have targets.
        seed: seed of the split.
    """
    documents = {
        part: np.array(file.documents, np.int64)
        if len(set(file.documents)) >= _FEW_DOCUMENTS
        else np.arange(len(file.texts))
        for part, file in files.items()
    }
    rows = {part: np.arange(len(file.texts)) + starts[part] for part, file in files.items()}
    if "all" in files:
        train, rest = _split(rows["all"], documents["all"], _DEV + _TEST, seed, "rest")
        test, dev = _split(rest, documents["all"][rest], _DEV / (_DEV + _TEST), seed, "dev")
    else:
        train, test = rows["train"], rows["test"]
        if "dev" in rows:
            dev = rows["dev"]
        else:
            train, dev = _split(train, documents["train"], _DEV_OF_TRAIN, seed, "dev")
    return tuple(np.intersect1d(part, used) for part in (train, dev, test))  # type: ignore[return-value]  # three


def _split(rows: Integers, documents: Integers, share: float, seed: int, name: str) -> tuple[Integers, Integers]:
    """Split off about a share of the rows, whole documents at a time; return the other rows, and the rows split off.

    Args:
        rows: int64 [n], indices of texts.
        documents: int64 [n], a number that identifies the document of each.
        share: the share of rows to split off.
        seed: seed of the study.
        name: name of the split, which enters the seed.
    """
    order = seeds.child(seed, "layers", "split", name).permutation(np.unique(documents))
    sizes = np.array([np.count_nonzero(documents == document) for document in order])
    off = order[: max(1, int(np.searchsorted(np.cumsum(sizes), share * len(rows), side="right")))]
    held = np.isin(documents, off)
    return rows[~held], rows[held]


def _require_texts(parts: Parts, name: str, where: str) -> None:
    for rows, use in zip(parts, ("learn from", "measure on", "measure on"), strict=True):
        if len(rows) < _FEWEST:
            what = f"{count_of(len(rows), 'text')} with targets to {use}"
            raise BadInput(f"{name}: only {what}", where=where, mend=f"give {_FEWEST} or more for each part")


def _drawn(parts: Parts, limit: int, seed: int, seed_name: str) -> Parts:
    most = {"train": limit, "dev": limit // 4, "test": limit // 2}
    rngs = (seeds.child(seed, "layers", "texts", seed_name, part) for part in most)
    return tuple(  # type: ignore[return-value]  # three
        rng.permutation(rows)[:number] for rng, rows, number in zip(rngs, parts, most.values(), strict=True)
    )
