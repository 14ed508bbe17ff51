"""AmericasNLI: does one sentence follow from another, in ten languages of the Americas? Ebrahimi et al. 2022.

`americasnli` is all languages together, `americasnli:aym` only Aymara. Models learn from MNLI's English.
"""

from wordworth.errors import BadInput, nearest
from wordworth.tasks.datasets.mnli import CLASSES
from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.formats.tabular import TextTableReader
from wordworth.tasks.task_types.classification import PAIR_CLASSIFICATION

LANGUAGES = ("aym", "bzd", "cni", "gn", "hch", "nah", "oto", "quy", "shp", "tar")


def variant(language: str) -> DatasetSpec:
    """Return the data set AmericasNLI in one of its ten languages.

    Args:
        language: the code of the language.

    Raises:
        BadInput: `language` is not the code of one of the ten languages.
    """
    if language not in LANGUAGES:
        raise BadInput(f"AmericasNLI has no language {language!r}", mend=nearest(language, LANGUAGES))
    return _task(language)


def _task(language: str | None) -> DatasetSpec:
    only_rows_with = None if language is None else ("language", language)
    return DatasetSpec(
        name="americasnli" if language is None else f"americasnli:{language}",
        title="Does the second sentence follow from the first? (Ten languages of the Americas)",
        source="AmericasNLI, Ebrahimi et al. 2022",
        kind=PAIR_CLASSIFICATION.name,
        classes=CLASSES,
        metrics=("accuracy",),
        folders=("americasnli", "anli_final"),
        layouts=(
            FileLayout(
                files={"dev": "dev/anli.dev.tsv", "test": "test/anli.test.tsv"},
                read=TextTableReader(
                    first="premise", second="hypothesis", label="label", classes=CLASSES, only_rows_with=only_rows_with
                ),
            ),
            FileLayout(
                files={"dev": "dev.csv", "test": "test.csv"},
                read=TextTableReader(
                    first="text_a", second="text_b", label="label", classes=CLASSES, only_rows_with=only_rows_with
                ),
            ),
        ),
        train_from="mnli",
    )


TASK = _task(None)
