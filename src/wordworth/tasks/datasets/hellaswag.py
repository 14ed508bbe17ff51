"""HellaSwag: what happens next? Endings that fooled a model (Zellers et al. 2019).

If a copy has only the validation part, the first 50 of every 250 rows are the dev part, and the other rows the training
part. Rows on one video or article follow each other, and are thus hardly ever in both parts.
"""

from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.multiple_choice import Choices, Fold
from wordworth.tasks.task_types.multiple_choice import MULTIPLE_CHOICE

_NOTE = "a fifth of the official validation part, the rest of which is learned from"


def _rows(*, dev: bool) -> Choices:
    fold = Fold(num_folds=5, number=0, others=not dev, block=50)
    return Choices(first="context", options=("endings",), label="label", keep=fold)


_READ = Choices(first="ctx_a", second="ctx_b", options=("endings",), label="label")

TASK = DatasetSpec(
    name="hellaswag",
    title="How does this go on?",
    source="HellaSwag, Zellers et al. 2019",
    kind=MULTIPLE_CHOICE.name,
    metrics=("accuracy",),
    folders=("hellaswag", "stories/hellaswag"),
    layouts=(
        FileLayout(files={"train": "hellaswag_train.jsonl", "dev": "hellaswag_val.jsonl"}, read=_READ),
        FileLayout(
            files={"train": "data/train-*.parquet", "dev": "data/validation-*.parquet"},
            read=_READ,
            hub="Rowan/hellaswag",
        ),
        FileLayout(
            files={"train": "val.jsonl", "dev": "val.jsonl"},
            read={"train": _rows(dev=False), "dev": _rows(dev=True)},
            notes={"dev": _NOTE},
        ),
    ),
    sizes={"train": 39_905, "dev": 10_042},
)
