"""The Winograd Schema Challenge (Levesque et al. 2012): 273 items to test on, for which models learn from DPR."""

from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.pronoun_gaps import pronoun_part
from wordworth.tasks.task_types.pronoun_resolution import PRONOUN_RESOLUTION

TASK = DatasetSpec(
    name="wsc273",
    title="What does the pronoun stand for?",
    source="WSC, Levesque et al. 2012",
    kind=PRONOUN_RESOLUTION.name,
    metrics=("accuracy",),
    folders=("senses/winograd", "winograd"),
    layouts=(FileLayout(files={"test": "wsc273.tsv"}, read=pronoun_part),),
    train_from="dpr",
    sizes={"test": 273},
)
