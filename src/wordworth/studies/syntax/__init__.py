"""The study `syntax`: how much of a sentence's dependency tree a model's vectors and attention encode."""

from __future__ import annotations

from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.syntax.settings import SyntaxSettings

__all__ = ["syntax"]


@documented_by(SyntaxSettings)
def syntax(  # noqa: PLR0913 - the settings of the study, each by its name
    treebank: Path | str | None = None,
    *,
    model: str = "minilm",
    test: Path | str | None = None,
    limit: int = 2_000,
    rank: int = 64,
    draws: int = 1_000,
    seed: int = 0,
    out: Path | str | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Measure how much of a sentence's tree is in a model's vectors, layer by layer, and in its attention.

    Structural probes (Hewitt and Manning 2019), the attention probe of Coenen et al. (2019) and a biaffine parser on
    all layers (Dozat and Manning 2017) are trained on some documents and measured on others, together with controls.
    The best layer is chosen on held-out sentences that are not test sentences.

    Args:
        treebank: a file in CoNLL-U or in the form of attention-analysis (lines such as `dog 2-nsubj`), or a name such
            as `en_ewt` in the folder named by WORDWORTH_DATA: the probes are trained on the treebank's train part and
            tested on its dev part.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `syntax`: `tables["probes"]` has a row for each structural probe and control,
        `tables["differences"]` compares the best layer with its controls. `tables["pairs"]` has the attention probe and
        `tables["parsers"]` the parser; `tables["pair_differences"]` and `tables["parser_differences"]` compare the
        attention probe and the parser with their controls. `tables["edge_lengths"]` has for each relation the mean
        predicted distance of a word and its head. `tables["trees"]` and `tables["tree_edges"]` have the points and
        lines of drawings of some trees.

    Raises:
        BadInput: the treebank is missing, damaged or too small, the model has no attention, or `out` cannot be written.
    """
    arguments = dict(locals())
    from wordworth.settings_validation import settings_from
    from wordworth.studies.syntax.study import STUDY

    return STUDY.answer(settings_from(arguments, SyntaxSettings), out=out, progress=progress)
