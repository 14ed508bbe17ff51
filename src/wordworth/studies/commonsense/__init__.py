"""The study `commonsense`: what a model knows of the world and of grammar without training for it (zero-shot)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.commonsense.settings import CommonsenseSettings
from wordworth.text.file_formats.in_memory import ArrowTable, TableSource

__all__ = ["commonsense"]


@documented_by(CommonsenseSettings)
def commonsense(  # noqa: PLR0913 - the settings, each by its name
    *,
    model: str = "mini",
    data: str | Path | ArrowTable | Sequence[TableSource] = (),
    limit: int = 1_000,
    filter_rounds: int = 0,
    seed: int = 0,
    out: Path | str | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Ask a model what pronouns stand for, how texts end and which of two sentences is grammatical, without training.

    Items with a pronoun are answered by attention (Klein and Nabi 2019), and all items by likelihood:
    pseudo-log-likelihood of a masked model (Salazar et al. 2020, and the variant of Kauf and Ivanova 2023 that masks
    the rest of a word too), likelihood of a left-to-right model, and partial scoring (Trinh and Le 2018). Each method
    is compared with guessing, with simple rules, and with a model of the same shape that has random weights.

    Args:
        data: files, tables in memory, or names of published sets in the folder named by WORDWORTH_DATA: pdp60, wsc273,
            winogender, dpr_train, dpr_test (pronouns), codah, copa, hellaswag (endings), blimp, marvin_linzen,
            gulordava (minimal pairs). A table has columns text, pronoun, candidates (with | between them) and answer;
            or context, endings and label; or good and bad. If empty, the sets are pdp60, wsc273, winogender, dpr_test,
            codah and copa.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `commonsense`: `tables["scores"]` has a row for each data set and method,
        `tables["differences"]` a row for each comparison of two methods, `tables["sets"]` for each data set the
        accuracy that a method needs to be told from guessing; with minimal pairs there are `tables["phenomena"]` and
        `tables["paradigms"]`, with filtering `tables["filtering"]`.

    Raises:
        BadInput: data are missing or damaged, the model can answer no data set, or `out` cannot be written.
    """
    arguments = dict(locals())
    from wordworth.settings_validation import settings_from
    from wordworth.studies.commonsense.study import STUDY
    from wordworth.text.file_formats.in_memory import as_files, one_or_several

    with as_files(*one_or_several(data)) as sets:
        names = [str(each) if isinstance(each, Path) else each for each in sets]
        settings = settings_from({**arguments, "data": names}, CommonsenseSettings)
        return STUDY.answer(settings, out=out, progress=progress)
