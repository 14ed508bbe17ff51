"""Natural language inference as multiple choice (MC-NLI): which of two hypotheses does a premise entail?

Li et al. 2019 (TransBERT, arXiv 1905.07504) make choices of an entailed and a contradicted hypothesis of one premise,
which have the form of story endings. Neutral hypotheses are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from wordworth import seeds
from wordworth.errors import BadInput
from wordworth.records import Finding
from wordworth.sentence_formatting import count_of
from wordworth.tasks.examples import Examples
from wordworth.tasks.formats.dataset_part import Part, origin
from wordworth.tasks.formats.tabular import TextTableReader
from wordworth.tasks.usual_columns import LABELS, PAIRS, usual_column
from wordworth.text.file_formats.read import read_table
from wordworth.text.read_compressed_file import RawFile

ENTAILED, CONTRADICTED, NEUTRAL = "entailment", "contradiction", "neutral"
UNDECIDED = ("-", "-1")
"""Labels of pairs on which the annotators of SNLI did not agree, in its own files and in those of the hub."""
_FORM = "give a file of premises and hypotheses with the labels entailment, neutral and contradiction"


@dataclass(frozen=True, slots=True)
class NliAsMultipleChoice:
    """A reader that turns a data set of natural language inference into two-option multiple choice.

    An example asks which of two hypotheses a premise entails: the other contradicts it.

    Attributes:
        pairs: the reader of the data set's labelled pairs.
    """

    pairs: TextTableReader

    def __call__(self, file: RawFile) -> Part:
        """Read a file of labelled pairs, and make two-option choices of them by `choice_part`.

        Raises:
            BadInput: the reader refuses the file, or no premise has both an entailed and a contradicted hypothesis.
        """
        part = self.pairs(file)
        names = [self.pairs.classes[label] for label in part.labels]
        made = choice_part(file, part.examples.first, part.examples.second or (), names)
        return replace(made, notes=(*part.notes, *made.notes))


def pair_columns(columns: Collection[str]) -> tuple[str, str] | None:
    """Return the columns of premises and of hypotheses, found by their usual names.

    The result is None if a table lacks one of the two columns.
    """
    named = ((usual_column(columns, [first]), usual_column(columns, [second])) for first, second in PAIRS)
    return next(((first, second) for first, second in named if first and second), None)


def own_choices(file: RawFile, named: Mapping[str, Any]) -> Part:
    """Make two-option multiple choice from a user's own file of labelled premise-hypothesis pairs.

    The choices are made by `choice_part`, which this function calls.

    Args:
        file: the file.
        named: the user's names of the columns `text`, `text_b` and `label`; None for columns that are not named.

    Raises:
        BadInput: a column is missing, a label is not one of natural language inference, or no premise gives a choice.
    """
    table = read_table(file)
    usual = pair_columns(table.columns) or (None, None)
    names = {
        "text": named["text"] or usual[0],
        "text-b": named["text_b"] or usual[1],
        "label": named["label"] or usual_column(table.columns, LABELS),
    }
    missing = next((option for option, name in names.items() if name is None), None)
    if missing is not None:
        raise BadInput("no pairs of a premise and a hypothesis with a label", where=file.path, mend=_FORM)
    first, second, labels = (table.column(str(name)) for name in names.values())
    decided = [row for row, cell in enumerate(labels) if cell.strip() not in UNDECIDED]
    known = (ENTAILED, NEUTRAL, CONTRADICTED)
    strange = next((row for row in decided if labels[row].strip().lower() not in known), None)
    if strange is not None:
        what = f"label {labels[strange]!r:.60} is not one of {', '.join(known)}"
        raise BadInput(what, where=table.where(strange), mend="rename the labels, or read the file as pairs")
    made = choice_part(
        file,
        [first[row] for row in decided],
        [second[row] for row in decided],
        [labels[row].strip().lower() for row in decided],
    )
    return replace(made, notes=(*table.notes, *made.notes))


def choice_part(file: RawFile, premises: Sequence[str], hypotheses: Sequence[str], labels: Sequence[str]) -> Part:
    """Make a two-option choice of each pair of an entailed and a contradicted hypothesis of the same premise.

    A seeded random draw decides whether the right option comes first or second.

    Args:
        file: the file of the pairs.
        premises: [n] the premise of each pair.
        hypotheses: [n] the hypothesis of each pair.
        labels: [n] `entailment`, `contradiction` or another label.

    Raises:
        BadInput: no pair is labelled `entailment`, no pair is labelled `contradiction`, or no premise has both an
            entailed and a contradicted hypothesis.
    """
    for label in (ENTAILED, CONTRADICTED):
        if label not in labels:
            raise BadInput(f"no pair has the label {label}", where=file.path, mend=_FORM)
    rows = list(_choices(premises, hypotheses, labels))
    if not rows:
        what = "no premise has both an entailed and a contradicted hypothesis"
        raise BadInput(what, where=file.path, mend="give a file with several hypotheses a premise, or read it as pairs")
    second = seeds.child(0, "natural language inference", "choices").integers(2, size=len(rows))
    options = tuple(
        (wrong, right) if late else (right, wrong) for (_, right, wrong), late in zip(rows, second, strict=True)
    )
    contexts = tuple(premise for premise, _, _ in rows)
    numbers = {"choices": len(rows), "pairs": len(premises), "premises": len(set(contexts))}
    text = (
        f"{count_of(len(rows), 'choice')} between an entailed and a contradicted hypothesis from "
        f"{count_of(numbers['premises'], 'premise')}; the {len(premises):,} pairs have no other premise with both."
    )
    note = Finding("method.nli_choices", text, numbers)
    return Part(Examples(contexts, options=options), second.astype(np.int64), (origin(file, len(rows)),), (note,))


def _choices(
    premises: Sequence[str], hypotheses: Sequence[str], labels: Sequence[str]
) -> Iterator[tuple[str, str, str]]:
    """Yield (premise, entailed hypothesis, contradicted hypothesis) of each choice, in the order of the premises.

    A premise with several hypotheses of either label gives a choice for every combination.
    """
    by_premise: dict[str, dict[str, dict[str, None]]] = {}
    for premise, hypothesis, label in zip(premises, hypotheses, labels, strict=True):
        by_premise.setdefault(premise.strip(), {}).setdefault(label, {})[hypothesis] = None
    for premise, of in by_premise.items():
        for right, wrong in product(of.get(ENTAILED, ()), of.get(CONTRADICTED, ())):
            if right != wrong:
                yield premise, right, wrong
