"""Pronoun disambiguation problems (PDP-60; Morgenstern et al. 2016): a test set, for which models learn from DPR."""

from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.pronoun_gaps import pronoun_part
from wordworth.tasks.task_types.pronoun_resolution import PRONOUN_RESOLUTION

TASK = DatasetSpec(
    name="pdp60",
    title="What does the pronoun stand for?",
    source="PDP-60, Morgenstern et al. 2016",
    kind=PRONOUN_RESOLUTION.name,
    metrics=("accuracy",),
    folders=("senses/winograd", "winograd"),
    layouts=(FileLayout(files={"test": "pdp60.tsv"}, read=pronoun_part),),
    train_from="dpr",
    sizes={"test": 60},
)
