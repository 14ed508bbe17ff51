"""CODAH: how does a sentence continue? Items in the form of SWAG, written by people to fool a model (Chen et al. 2019).

Published without a split: Chen et al. cross-validate in five folds. Here rows 0, 5, 10, ... are the dev part, so that
every score is on the same rows; the folds of Chen et al. are different ones.
"""

from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.multiple_choice import Choices, Fold
from wordworth.tasks.task_types.multiple_choice import MULTIPLE_CHOICE

_COLUMNS = ("category", "prompt", "ending0", "ending1", "ending2", "ending3", "label")
_NOTE = "every fifth row of the file, which has no split of its own"


def _rows(*, dev: bool) -> Choices:
    fold = Fold(num_folds=5, number=0, others=not dev)
    return Choices(first="prompt", options=_COLUMNS[2:6], label="label", header=_COLUMNS, keep=fold)


_READ = {"train": _rows(dev=False), "dev": _rows(dev=True)}

TASK = DatasetSpec(
    name="codah",
    title="How does this go on?",
    source="CODAH, Chen et al. 2019",
    kind=MULTIPLE_CHOICE.name,
    metrics=("accuracy",),
    folders=("codah",),
    layouts=(
        FileLayout(files={"train": "full_data.tsv", "dev": "full_data.tsv"}, read=_READ, notes={"dev": _NOTE}),
        FileLayout(files={"train": "all.csv", "dev": "all.csv"}, read=_READ, notes={"dev": _NOTE}),
    ),
)
