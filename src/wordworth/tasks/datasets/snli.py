"""SNLI: does a sentence follow from the caption of a picture? Bowman et al. 2015.

`snli:choice` asks to choose between an entailed and a contradicted hypothesis of one premise. Pairs on which annotators
did not agree are left out, as in the publication.
"""

from wordworth.tasks.datasets.mnli import CLASSES, NUMBERED, choice_variant
from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.nli_as_multiple_choice import UNDECIDED
from wordworth.tasks.formats.tabular import TextTableReader
from wordworth.tasks.task_types.classification import PAIR_CLASSIFICATION

TASK = DatasetSpec(
    name="snli",
    title="Does the second sentence follow from the first? (Captions of pictures)",
    source="SNLI 1.0, Bowman et al. 2015",
    kind=PAIR_CLASSIFICATION.name,
    classes=CLASSES,
    metrics=("accuracy",),
    folders=("snli", "snli_1.0"),
    layouts=(
        FileLayout(
            files={part: f"snli_1.0_{part}.jsonl" for part in ("train", "dev", "test")},
            read=TextTableReader(
                first="sentence1", second="sentence2", label="gold_label", classes=CLASSES, left_out=UNDECIDED
            ),
        ),
        FileLayout(
            files={"train": "train.csv", "dev": "train_holdout.csv", "test": "test_sample.csv"},
            read=TextTableReader(first="text_a", second="text_b", label="label", classes=CLASSES),
            notes={"dev": "rows of the official training part"},
        ),
        FileLayout(
            files={"train": "plain_text/train-*", "dev": "plain_text/validation-*", "test": "plain_text/test-*"},
            read=TextTableReader(
                first="premise",
                second="hypothesis",
                label="label",
                classes=CLASSES,
                class_names=NUMBERED,
                left_out=UNDECIDED,
            ),
            hub="stanfordnlp/snli",
        ),
    ),
    sizes={"train": 549_367, "dev": 9_842, "test": 9_824},
)


def variant(name: str) -> DatasetSpec:
    """Return SNLI as the multiple-choice task `snli:choice`.

    Raises:
        BadInput: `name` is not `choice`.
    """
    return choice_variant(TASK, name)
