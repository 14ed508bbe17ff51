"""The study `relations`: attention heads that point from a word to its syntactic head, for each relation."""

from __future__ import annotations

from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.syntactic_relations.settings import RelationsSettings
from wordworth.text.file_formats.in_memory import TableSource

__all__ = ["relations"]


@documented_by(RelationsSettings)
def relations(  # noqa: PLR0913 - the settings of the study, each by its name
    treebank: Path | str | None = None,
    *,
    model: str = "minilm",
    limit: int = 2_000,
    words: int = 50,
    subtypes: bool = False,
    possessives: bool = False,
    probes: bool = False,
    coreference: TableSource | None = None,
    draws: int = 1_000,
    seed: int = 0,
    out: Path | str | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Find the attention heads that point from words to their syntactic heads, relation by relation.

    Each relation's best head is chosen on half of the documents and measured on the other half (Clark et al. 2019,
    section 4.2). It is compared with the best fixed offset and with the best head of an encoder with random weights.

    Args:
        treebank: a file in CoNLL-U or in the format of Clark et al.'s code (lines such as `dog 2-nsubj`), or a name
            such as `en_ewt` in the folder named by WORDWORTH_DATA.
        model: a transformer: a name, a folder or a hub name.
        possessives: whether the 's after a possessor counts as a correct answer too, as Clark et al. count it for
            `poss`. The 's counts in the relation of possessors (nmod:poss, which needs `subtypes`), but not in the
            accuracy over all words.
        probes: whether to also train probes that combine all heads, on the half of the documents on which heads are
            chosen (Clark et al., section 5).
        coreference: sentences with a pronoun, for which heads are measured by how often they find its antecedent (Clark
            et al., section 4.3): a file or table with columns sentence, pronoun, candidates (with | between them) and
            answer, or a name such as `dpr_train` in the folder named by WORDWORTH_DATA. None leaves this measurement
            out.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `relations`: `tables["relations"]` has a row for each relation, `tables["heads"]` one for each
        attention head and direction. With `probes`, `tables["probes"]` has a row for each probe and baseline, and
        `tables["probe_differences"]` a row for each comparison of two of them. With `coreference`,
        `tables["coreference"]` has one row: the best attention head and the best simple rule.

    Raises:
        BadInput: the treebank is missing or damaged, the model has no attention, or `out` cannot be written.
    """
    arguments = dict(locals())
    from wordworth.settings_validation import settings_from
    from wordworth.studies.syntactic_relations.study import STUDY
    from wordworth.text.file_formats.in_memory import as_files

    with as_files(coreference) as (path,):
        settings = settings_from({**arguments, "coreference": path}, RelationsSettings)
        return STUDY.answer(settings, out=out, progress=progress)
