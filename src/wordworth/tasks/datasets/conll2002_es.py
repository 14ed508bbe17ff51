"""CoNLL-2002, Spanish: persons, places, organisations and other names in the news (Tjong Kim Sang 2002)."""

from wordworth.tasks.formats.conll import ConllReader
from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.task_types.tagging import TAGGING

_READ = ConllReader(("LOC", "MISC", "ORG", "PER"))

TASK = DatasetSpec(
    name="conll2002_es",
    title="Which Spanish words name persons, places, organisations or other things?",
    source="CoNLL-2002 Spanish, Tjong Kim Sang 2002, in UTF-8",
    kind=TAGGING.name,
    classes=_READ.classes,
    metrics=("entity_f1",),
    folders=("conll2002_es", "conll2002"),
    layouts=(FileLayout(files={"train": "esp.train", "dev": "esp.testa", "test": "esp.testb"}, read=_READ),),
    sizes={"train": 8323, "dev": 1915, "test": 1517},
)
