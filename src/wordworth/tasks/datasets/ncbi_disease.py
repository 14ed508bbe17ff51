"""NCBI-disease: names of diseases in abstracts of medicine (Dogan, Leaman and Lu 2014)."""

from wordworth.tasks.formats.conll import ConllReader
from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.task_types.tagging import TAGGING

_READ = ConllReader(("Disease",))

TASK = DatasetSpec(
    name="ncbi_disease",
    title="Which words name a disease?",
    source="NCBI-disease in IOB, Dogan et al. 2014",
    kind=TAGGING.name,
    classes=_READ.classes,
    metrics=("entity_f1",),
    folders=("ncbi_disease", "NCBI-disease-IOB"),
    layouts=(
        FileLayout(files={"train": "train.tsv", "dev": "devel.tsv", "test": "test.tsv"}, read=_READ),
        FileLayout(files={"train": "train.tsv", "dev": "dev.tsv", "test": "test.tsv"}, read=_READ),
    ),
    sizes={"train": 5424, "dev": 923, "test": 940},
)
