"""Tagging: each word of a sentence has a tag."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordworth.errors import BadInput, nearest
from wordworth.measures.chunk_f1 import Chunks, chunks, scheme, stripped
from wordworth.tasks.examples import Examples, Labels, Rows
from wordworth.tasks.labels import Integers, Labelled, in_order
from wordworth.tasks.reading.labelled_rows import LabelledRows, check_present, whole_words, words
from wordworth.tasks.task_types.base import ClassFlags, Floats, Mark, TaskType
from wordworth.tasks.task_types.classification import are_class_indices, constant
from wordworth.tasks.task_types.prediction_cells import RowCells
from wordworth.tasks.task_types.wording import Wording
from wordworth.text.file_formats.table import document_numbers

_PREFIXES = ("B-", "I-", "E-", "S-", "L-", "U-", "M-")
NOTHING = "no entity"
"""The name for "no entity" in a confusion matrix."""


class Tagging(TaskType):
    """The kind of task in which each word of a sentence has a tag.

    Labels, like predictions, are a tuple with one int64 array [words] for each sentence.
    """

    name, former_name = "tagging", "tags"
    label_form, hub_task = "tags", "token-classification"
    metrics = ("entity_f1", "token_accuracy")
    wording = Wording(
        examples="sentences",
        to_learn="sentences to tag",
        classes="tags",
        constant="a word's usual tag",
        wrong="Most words wrong",
        right="Right",
    )
    head = "wordworth.training.task_heads.token_classification:make_head"
    transformers_head = "TokenClassification"
    scorer = "wordworth.studies.evaluate.official_scores:score_tags"
    max_tokens = 512
    labels_words = True
    pooled = predicts_blank = False
    answer_key = "tags"
    text_role = "words"

    def examples(self, rows: LabelledRows) -> Examples:
        """Return the sentences (words joined by spaces), their words as the file splits them, and their documents.

        Raises:
            BadInput: a word is missing.
        """
        sentences = tuple(tuple(whole_words(cell, rows.where(row))) for row, cell in enumerate(rows.first))
        return Examples(tuple(" ".join(sentence) for sentence in sentences), words=sentences, documents=rows.documents)

    def read(self, rows: LabelledRows) -> Labelled:
        """Read the tags of each sentence; entity tags of any scheme become IOB2 (`O` first), other tags stay.

        Entities are delimited by conlleval's rules, so that IOB1, IOB2, IOBES and BILOU files with the same entities
        give the same tags.

        Raises:
            BadInput: tags are missing, differ in number from the words, are all `O`, or mix a scheme with other tags.
        """
        cells = rows.label
        check_present(rows, cells)
        tags = [whole_words(cell, rows.where(row), "tag") for row, cell in enumerate(cells)]
        _check_lengths(rows, tags)
        names = {tag for sentence in tags for tag in sentence}
        if names <= {"O"}:
            what = "every word has the tag 'O': there is nothing to find"
            raise BadInput(what, where=rows.tables[0].path, mend="choose another column with --label")
        if not is_scheme(names):
            return _labelled(tags, in_order(names), "one tag a word")
        _check_scheme(rows, tags, names)
        types = scheme(sorted(names)).types
        return _labelled(iob2(tags), iob2_classes(types), "entities, tags read as IOB2")

    def default_metric(self, labels: Labels, classes: Sequence[str], train: Rows) -> tuple[str, str]:
        """Return (metric, reason): entity F1 if tags mark entities, else the share of words with the right tag.

        Args:
            labels: the tags of each sentence, which are not read.
            classes: the names of the tags.
            train: int64 [rows], the training rows, which are not read.
        """
        if is_scheme(classes):
            return "entity_f1", "tags mark entities: one counts where its start, end and type are right"
        return "token_accuracy", "tags mark words one by one"

    def input_examples(self, rows: Sequence[RowCells], *, pairs: bool) -> Examples:
        """Return the sentences of rows as examples, grouped into documents by the column `document`.

        Neighbouring sentences with equal cells in this column belong to one document.

        Args:
            rows: the rows.
            pairs: not used.

        Raises:
            BadInput: a word is missing.
        """
        sentences = tuple(tuple(whole_words(row.cell("words"), row.where)) for row in rows)
        documents = document_numbers([row.cell("document", needed=False) for row in rows])
        return Examples(tuple(" ".join(sentence) for sentence in sentences), words=sentences, documents=documents)

    def label_problem(self, labels: Labels, examples: Examples, classes: Sequence[str]) -> str:
        """Return a phrase that says what is wrong with labels; "" if each word has the index of a class as its tag.

        Args:
            labels: the tags of each sentence.
            examples: the sentences.
            classes: the names of the tags.
        """
        if [len(tags) for tags in labels] != [len(sentence) for sentence in examples.words or ()]:
            return "tags that are not one per word"
        return "" if all(are_class_indices(tags, len(classes)) for tags in labels) else "tags outside the classes"

    def clusters(self, examples: Examples) -> Sequence[Hashable]:
        """Return the index of each sentence's document; sentences of a document are resampled together.

        Without documents each sentence has an index of its own.
        """
        return examples.documents or range(len(examples))

    def plain_value(self, label: Any, classes: Sequence[str]) -> list[str]:
        """Return the names of a sentence's tags.

        Args:
            label: int64 [words], the tags.
            classes: the names of the tags.
        """
        return [classes[int(tag)] for tag in label]

    def label_text(self, label: Any, classes: Sequence[str], options: Sequence[str] = ()) -> str:
        """Return the names of a sentence's tags, separated by spaces.

        Args:
            label: int64 [words], the tags.
            classes: the names of the tags.
            options: not used.
        """
        return " ".join(self.plain_value(label, classes))

    def is_degenerate(self, gold: Labels, predictions: Any) -> bool:
        """Return whether a training failed: one tag is always predicted though the gold tags differ.

        Args:
            gold: for each sentence int64 [words], its tags.
            predictions: for each sentence int64 [words], the predicted tags.
        """
        return constant(_flat(predictions)) and not constant(_flat(gold))

    def constant_text(self, scores: Any, classes: Sequence[str]) -> str:
        """Return the phrase for predicting each word's most frequent tag.

        Args:
            scores: not used.
            classes: not used.
        """
        return "giving each word its most frequent tag"

    def error_sizes(self, gold: Labels, predictions: Any) -> Floats:
        """Return the number of wrong tags in each sentence, float64 [n].

        Args:
            gold: for each sentence int64 [words], its tags.
            predictions: for each sentence int64 [words], the predicted tags.
        """
        pairs = zip(gold, predictions, strict=True)
        return np.array([float(np.count_nonzero(np.asarray(true) != tags)) for true, tags in pairs])

    def texts(self, first: str, second: str, words: Sequence[str] = ()) -> tuple[str, str]:
        """Return (words joined by spaces, second text) to show a sentence in the HTML report.

        Args:
            first: not used.
            second: the second text.
            words: the words of the sentence.
        """
        return " ".join(words), second

    def marks(self, text: Any, sides: tuple[Any, Any], classes: Sequence[str]) -> list[Mark]:
        """Return the marks of entities for the HTML report: one for each that the gold or the predicted tags have.

        Args:
            text: the words of the sentence.
            sides: (gold tags, predicted tags), int64 [words] each.
            classes: the names of the tags.
        """
        starts = np.cumsum([0, *(len(word) + 1 for word in text)])
        of = scheme(classes)
        true, predicted = (set(_spans(chunks([np.asarray(tags)], of))) for tags in sides)
        marks = []
        for side, spans in (("both", true & predicted), ("gold", true - predicted), ("predicted", predicted - true)):
            marks += [(int(starts[a]), int(starts[b]) - 1, side, of.types[kind]) for a, b, kind in spans]
        return sorted(marks)

    def class_pairs(
        self,
        gold: Any,
        predictions: Any,
        classes: Sequence[str],
    ) -> tuple[NDArray[np.int64], tuple[str, ...]] | None:
        """Return the gold and the predicted entity type of each span; None if the tags mark no entities.

        The result is (int64 [spans, 2], names of the types); the last name stands for a span that only the gold tags or
        only the predicted tags have.

        Args:
            gold: for each sentence int64 [words], its tags.
            predictions: for each sentence int64 [words], the predicted tags.
            classes: the names of the tags.
        """
        of = scheme(classes)
        if not of.types:
            return None
        sides = [chunks(side, of) for side in (gold, predictions)]
        gold_types, predicted_types = ({(a, b): kind for a, b, kind in _spans(side)} for side in sides)
        nothing = len(of.types)
        positions = sorted(gold_types.keys() | predicted_types.keys())
        pairs = [[gold_types.get(span, nothing), predicted_types.get(span, nothing)] for span in positions]
        return np.array(pairs, dtype=np.int64).reshape(-1, 2), (*of.types, NOTHING)

    def class_flags(self, gold: Any, predictions: Any, classes: Sequence[str]) -> list[ClassFlags]:
        """Return for each entity type which spans have it by the gold tags, and which by the predicted tags.

        Each entry is (name of the type, bool [spans] by the gold tags, bool [spans] by the predicted tags).

        Args:
            gold: for each sentence int64 [words], its tags.
            predictions: for each sentence int64 [words], the predicted tags.
            classes: the names of the tags.
        """
        return super().class_flags(gold, predictions, classes)[:-1]


TAGGING = Tagging()


def _flat(tags: Any) -> np.ndarray:
    return np.concatenate([*tags, np.zeros(0)])


def _spans(entities: Chunks) -> list[tuple[int, int, int]]:
    return list(zip(entities.start.tolist(), entities.end.tolist(), entities.kind.tolist(), strict=True))


def is_scheme(tags: Iterable[str]) -> bool:
    """Return whether tags mark entities, that is, include `O` and a tag with a prefix such as `B-` or `I-`."""
    names = set(tags)
    return "O" in names and any(name.startswith(_PREFIXES) for name in names)


def iob2_classes(types: Sequence[str]) -> tuple[str, ...]:
    """Return the class names of IOB2: `O`, then `B-` and `I-` of each entity type.

    >>> iob2_classes(["LOC"])
    ('O', 'B-LOC', 'I-LOC')
    """
    return ("O", *(f"{prefix}-{kind}" for kind in types for prefix in "BI"))


def iob2(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the tags in IOB2: `B-` at the first word of each entity, `I-` at its other words.

    >>> iob2([["I-PER", "I-PER", "O", "I-LOC", "B-LOC"]])
    [['B-PER', 'I-PER', 'O', 'B-LOC', 'B-LOC']]
    """
    names = sorted({tag for row in rows for tag in row})
    number = {name: index for index, name in enumerate(names)}
    tag_scheme = scheme(names)
    entities = chunks([np.array([number[tag] for tag in row], dtype=np.int64) for row in rows], tag_scheme)
    flat = np.full(sum(map(len, rows)), "O", dtype=object)
    for start, end, kind in zip(entities.start.tolist(), entities.end.tolist(), entities.kind.tolist(), strict=True):
        flat[start] = f"B-{tag_scheme.types[kind]}"
        flat[start + 1 : end] = f"I-{tag_scheme.types[kind]}"
    bounds = np.cumsum([0, *map(len, rows)])
    return [flat[bounds[row] : bounds[row + 1]].tolist() for row in range(len(rows))]


def _labelled(rows: Sequence[Sequence[str]], classes: tuple[str, ...], how: str) -> Labelled:
    index = {name: number for number, name in enumerate(classes)}
    labels: tuple[Integers, ...] = tuple(np.array([index[tag] for tag in row], dtype=np.int64) for row in rows)
    return Labelled(labels, classes, how)


def _check_lengths(rows: LabelledRows, tags: Sequence[Sequence[str]]) -> None:
    for row, (cell, row_tags) in enumerate(zip(rows.first, tags, strict=True)):
        count = len(words(cell))
        if count != len(row_tags):
            mend = "give one tag for each word, with one space between words and between tags"
            raise BadInput(f"{count} words but {len(row_tags)} tags", where=rows.where(row), mend=mend)


def _check_scheme(rows: LabelledRows, tags: Sequence[Sequence[str]], names: set[str]) -> None:
    known = {name for name in names if name == "O" or (name.startswith(_PREFIXES) and stripped(name)[1])}
    odd = names - known
    if not odd:
        return
    row, position, tag = next((r, p, tag) for r, each in enumerate(tags) for p, tag in enumerate(each) if tag in odd)
    what = f"tag {tag!r:.60} of word {position + 1} is neither O nor B-, I-, E-, S- (or L-, U-) and a type"
    raise BadInput(what, where=rows.where(row), mend=nearest(tag, sorted(known)))
