"""CoLA: is a sentence acceptable English? Warstadt, Singh and Bowman 2019."""

from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.tabular import TextTableReader
from wordworth.tasks.task_types.classification import CLASSIFICATION

_CLASSES = ("0", "1")

TASK = DatasetSpec(
    name="cola",
    title="Is this sentence acceptable English?",
    source="GLUE's CoLA, Warstadt et al. 2019",
    kind=CLASSIFICATION.name,
    classes=_CLASSES,
    metrics=("matthews",),
    folders=("cola", "CoLA"),
    layouts=(
        FileLayout(
            files={"train": "train.tsv", "dev": "dev.tsv"},
            read=TextTableReader(
                first="text", label="label", classes=_CLASSES, header=("source", "label", "mark", "text")
            ),
        ),
        FileLayout(
            files={"train": "train.csv", "dev": ("dev.csv", "dev_out_of_domain.csv")},
            read=TextTableReader(first="text", label="label", classes=_CLASSES),
        ),
        FileLayout(
            files={"train": "cola/train-*.parquet", "dev": "cola/validation-*.parquet"},
            read=TextTableReader(first="sentence", label="label", classes=_CLASSES),
            hub="nyu-mll/glue",
        ),
    ),
    sizes={"train": 8551, "dev": 1043},
)
