"""XNLI: does one sentence follow from another, in fifteen languages? Conneau et al. 2018.

`xnli` is all languages together, `xnli:fr` only French. It has no training part of its own: models learn from MNLI's
English.
"""

from wordworth.errors import BadInput, nearest
from wordworth.tasks.datasets.mnli import CLASSES, NUMBERED
from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.tabular import TextTableReader
from wordworth.tasks.task_types.classification import PAIR_CLASSIFICATION

LANGUAGES = ("ar", "bg", "de", "el", "en", "es", "fr", "hi", "ru", "sw", "th", "tr", "ur", "vi", "zh")


def variant(language: str) -> DatasetSpec:
    """Return the data set XNLI in one of its languages.

    Args:
        language: the code of the language.

    Raises:
        BadInput: `language` is not the code of one of the fifteen languages.
    """
    if language not in LANGUAGES:
        raise BadInput(f"XNLI has no language {language!r}", mend=nearest(language, LANGUAGES))
    return _task(language)


def _task(language: str | None) -> DatasetSpec:
    only_rows_with = None if language is None else ("language", language)
    official = TextTableReader(
        first="sentence1", second="sentence2", label="gold_label", classes=CLASSES, only_rows_with=only_rows_with
    )
    of_hub = TextTableReader(first="premise", second="hypothesis", label="label", classes=CLASSES, class_names=NUMBERED)
    of_language = LANGUAGES if language is None else (language,)
    parts = {"dev": "validation", "test": "test"}
    cached = {part: tuple(f"{each}/{file}-*.parquet" for each in of_language) for part, file in parts.items()}
    return DatasetSpec(
        name="xnli" if language is None else f"xnli:{language}",
        title="Does the second sentence follow from the first? (Fifteen languages)",
        source="XNLI 1.0, Conneau et al. 2018",
        kind=PAIR_CLASSIFICATION.name,
        classes=CLASSES,
        metrics=("accuracy",),
        folders=("xnli", "XNLI-1.0"),
        layouts=(
            FileLayout(files={"dev": "xnli.dev.tsv", "test": "xnli.test.tsv"}, read=official),
            FileLayout(files=cached, read=of_hub, hub="facebook/xnli"),
        ),
        train_from="mnli",
    )


TASK = _task(None)
