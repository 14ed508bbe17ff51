"""COPA: which alternative is the cause or the effect of a premise? Roemmele et al. 2011.

The official files are SuperGLUE's. Balanced COPA (Kavumba et al. 2019) adds to each row of COPA's development set a
mirrored row: the same alternatives, with another premise that makes the other alternative right. If the file is
Balanced COPA's, rows 1 to 400 and their mirrored rows are the training part, and rows 401 to 500 and their mirrored
rows the dev part. SuperGLUE splits the rows in the same way, without the mirrored ones.
"""

from wordworth.tasks.formats.copa import CopaReader
from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.task_types.multiple_choice import MULTIPLE_CHOICE

_BALANCED = {"train": CopaReader(ids=range(1, 401)), "dev": CopaReader(ids=range(401, 501))}
_NOTE = "COPA's rows 401 to 500 with their mirrored rows"

TASK = DatasetSpec(
    name="copa",
    title="What is its cause or its effect?",
    source="COPA, Roemmele et al. 2011, as SuperGLUE has it",
    kind=MULTIPLE_CHOICE.name,
    metrics=("accuracy",),
    folders=("copa", "COPA", "stories/copa_en"),
    layouts=(
        FileLayout(files={"train": "train.jsonl", "dev": "val.jsonl"}, read=CopaReader()),
        FileLayout(
            files={"train": "copa/train-*.parquet", "dev": "copa/validation-*.parquet"},
            read=CopaReader(),
            hub="aps/super_glue",
        ),
        FileLayout(files={"train": "dev.jsonl", "dev": "dev.jsonl"}, read=_BALANCED, notes={"dev": _NOTE}),
    ),
    sizes={"train": 400, "dev": 100},
)
