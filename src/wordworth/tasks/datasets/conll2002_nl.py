"""CoNLL-2002, Dutch: persons, places, organisations and other names in the news (Tjong Kim Sang 2002)."""

from wordworth.tasks.formats.conll import ConllReader
from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.task_types.tagging import TAGGING

_READ = ConllReader(("LOC", "MISC", "ORG", "PER"))

TASK = DatasetSpec(
    name="conll2002_nl",
    title="Which Dutch words name persons, places, organisations or other things?",
    source="CoNLL-2002 Dutch, Tjong Kim Sang 2002, in UTF-8",
    kind=TAGGING.name,
    classes=_READ.classes,
    metrics=("entity_f1",),
    folders=("conll2002_nl", "conll2002"),
    layouts=(FileLayout(files={"train": "ned.train", "dev": "ned.testa", "test": "ned.testb"}, read=_READ),),
    sizes={"train": 15_806, "dev": 2895, "test": 5195},
)
