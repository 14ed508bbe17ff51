"""MNLI, matched: does one sentence follow from another, in genres of the training part? Williams et al. 2018.

`mnli:choice` asks to choose between an entailed and a contradicted hypothesis of one premise.
"""

from dataclasses import replace

from wordworth.errors import BadInput
from wordworth.tasks.formats.dataset_part import Reader
from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.nli_as_multiple_choice import NliAsMultipleChoice
from wordworth.tasks.formats.tabular import TextTableReader
from wordworth.tasks.task_types.classification import PAIR_CLASSIFICATION
from wordworth.tasks.task_types.multiple_choice import MULTIPLE_CHOICE

CLASSES = ("contradiction", "entailment", "neutral")
NUMBERED = {"0": "entailment", "1": "neutral", "2": "contradiction"}
"""The hub's numbers of the classes, in another order than the original's."""


def mnli(name: str, title: str, dev: str, rows: int) -> DatasetSpec:
    """Return the data set MNLI, to be tested on its matched or on its mismatched dev part.

    Args:
        name: the name of the task.
        title: the question that the task asks, in one line.
        dev: the dev part, `matched` or `mismatched`.
        rows: the number of examples in this dev part.
    """
    return DatasetSpec(
        name=name,
        title=title,
        source="GLUE's MNLI, Williams et al. 2018",
        kind=PAIR_CLASSIFICATION.name,
        classes=CLASSES,
        metrics=("accuracy",),
        folders=("mnli", "MNLI"),
        layouts=(
            FileLayout(
                files={"train": "train.tsv", "dev": f"dev_{dev}.tsv"},
                read=TextTableReader(first="sentence1", second="sentence2", label="gold_label", classes=CLASSES),
            ),
            FileLayout(
                files={"train": "train.csv", "dev": f"dev_{dev}_sample.csv"},
                read=TextTableReader(first="text_a", second="text_b", label="label", classes=CLASSES),
                notes={"dev": "its texts are tokenised, unlike those of the training part"},
            ),
            FileLayout(
                files={"train": "mnli/train-*.parquet", "dev": f"mnli/validation_{dev}-*.parquet"},
                read=TextTableReader(
                    first="premise", second="hypothesis", label="label", classes=CLASSES, class_names=NUMBERED
                ),
                hub="nyu-mll/glue",
            ),
        ),
        sizes={"train": 392_702, "dev": rows},
    )


def choice_variant(spec: DatasetSpec, name: str) -> DatasetSpec:
    """Return the multiple-choice variant of a data set of natural language inference, such as `snli:choice`.

    Args:
        spec: the data set; all files of a layout must have the same reader.
        name: the name of the variant, which must be `choice`.

    Raises:
        BadInput: `name` is not `choice`.
    """
    if name != "choice":
        raise BadInput(
            f"{spec.name} has no variant {name!r}", mend=f"write {spec.name}:choice, or {spec.name} for pairs"
        )
    return replace(
        spec,
        name=f"{spec.name}:choice",
        title="Which of two sentences follows from the first?",
        kind=MULTIPLE_CHOICE.name,
        classes=(),
        layouts=tuple(replace(layout, read=_as_choices(layout.read)) for layout in spec.layouts),
        sizes={},
    )


def _as_choices(read: object) -> Reader:
    assert isinstance(read, TextTableReader)  # noqa: S101 - the only reader of these data sets
    return NliAsMultipleChoice(read)


def variant(name: str) -> DatasetSpec:
    """Return MNLI as the multiple-choice task `mnli:choice`.

    Raises:
        BadInput: `name` is not `choice`.
    """
    return choice_variant(TASK, name)


TASK = mnli("mnli", "Does the second sentence follow from the first? (Genres that training knows)", "matched", 9815)
