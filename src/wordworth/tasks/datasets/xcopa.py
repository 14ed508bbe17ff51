"""XCOPA: COPA in eleven languages (Ponti et al. 2020).

`xcopa` is all languages together, `xcopa:it` only Italian. It has no training part of its own: models learn from COPA's
English. Its validation part is a translation of COPA's rows 401 to 500, which COPA's training part does not have.
"""

from wordworth.errors import BadInput, nearest
from wordworth.tasks.formats.copa import CopaReader
from wordworth.tasks.formats.dataset_spec import DatasetSpec, FileLayout
from wordworth.tasks.task_types.multiple_choice import MULTIPLE_CHOICE

LANGUAGES = ("et", "ht", "id", "it", "qu", "sw", "ta", "th", "tr", "vi", "zh")


def variant(language: str) -> DatasetSpec:
    """Return the data set XCOPA in one of its languages.

    Args:
        language: the code of the language.

    Raises:
        BadInput: `language` is not the code of one of the eleven languages.
    """
    if language not in LANGUAGES:
        raise BadInput(f"XCOPA has no language {language!r}", mend=nearest(language, LANGUAGES))
    return _task(language)


def _task(language: str | None) -> DatasetSpec:
    of_language = LANGUAGES if language is None else (language,)
    official = {part: tuple(f"{code}/{part}.{code}.jsonl" for code in of_language) for part in ("val", "test")}
    of_hub = {part: tuple(f"{code}/{part}-*.parquet" for code in of_language) for part in ("validation", "test")}
    return DatasetSpec(
        name="xcopa" if language is None else f"xcopa:{language}",
        title="What is its cause or its effect? (Eleven languages)",
        source="XCOPA, Ponti et al. 2020",
        kind=MULTIPLE_CHOICE.name,
        metrics=("accuracy",),
        folders=("xcopa", "stories/xcopa"),
        layouts=(
            FileLayout(files={"dev": official["val"], "test": official["test"]}, read=CopaReader()),
            FileLayout(
                files={"dev": of_hub["validation"], "test": of_hub["test"]}, read=CopaReader(), hub="cambridgeltl/xcopa"
            ),
            FileLayout(files={"dev": "val.jsonl", "test": "test.jsonl"}, read=CopaReader(language=language)),
        ),
        train_from="copa",
        sizes={"dev": 100 * len(of_language), "test": 500 * len(of_language)},
    )


TASK = _task(None)
