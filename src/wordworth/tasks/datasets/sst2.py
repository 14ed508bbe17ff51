"""SST-2 as in GLUE: is a phrase of a film review for or against the film? Socher et al. 2013."""

from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.tabular import TextTableReader
from wordworth.tasks.task_types.classification import CLASSIFICATION

_CLASSES = ("0", "1")

TASK = DatasetSpec(
    name="sst2",
    title="Is this phrase of a film review against (0) or for (1) the film?",
    source="GLUE's SST-2, Socher et al. 2013",
    kind=CLASSIFICATION.name,
    classes=_CLASSES,
    metrics=("accuracy",),
    folders=("sst2_glue", "SST-2"),
    layouts=(
        FileLayout(
            files={"train": "train.tsv", "dev": "dev.tsv"},
            read=TextTableReader(first="sentence", label="label", classes=_CLASSES),
        ),
        FileLayout(
            files={"train": "train.csv", "dev": "dev.csv"},
            read=TextTableReader(first="text", label="label", classes=_CLASSES),
        ),
        FileLayout(
            files={"train": "sst2/train-*.parquet", "dev": "sst2/validation-*.parquet"},
            read=TextTableReader(first="sentence", label="label", classes=_CLASSES),
            hub="nyu-mll/glue",
        ),
    ),
    sizes={"train": 67_349, "dev": 872},
)
