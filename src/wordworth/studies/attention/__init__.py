"""The study `attention`: what each attention head of a transformer looks at in a text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wordworth.progress import SILENT, Progress
from wordworth.records import Record
from wordworth.settings_docs import documented_by
from wordworth.studies.attention.settings import AttentionSettings
from wordworth.studies.word_vectors_by_layer import Units

__all__ = ["attention"]


@documented_by(AttentionSettings)
def attention(  # noqa: PLR0913 - the settings of the study, each by its name
    texts: Sequence[str] = (),
    *,
    model: str = "minilm",
    beside: str | None = None,
    arrays: Path | str | None = None,
    units: Units = "words",
    save_maps: Path | str | None = None,
    out: Path | str | None = None,
    progress: Progress = SILENT,
) -> Record:
    """Show what each attention head of a transformer looks at in a text, or in two texts that are read together.

        ww.study_attention(["The cat sat because it was tired."], out="run/")

    The page has lines from token to token, small maps of all heads, and the query and the key of any two tokens. The
    returned record and its page hold the maps; record.json does not. `page_from_attention` draws the maps of other
    libraries.

    Args:
        texts: one text or two; none with `arrays`.
        arrays: an .npz file with the arrays `attention` [layers, heads, tokens, tokens] and `tokens` of any model; None
            to read `texts` with `model`.
        units: whether tables give attention between `words` or between `pieces` (subwords); the page shows both.
        save_maps: an .npz file to write the maps of `model` to, with its queries and keys; None writes no maps.
        out: a folder for record.json and report.html; None writes nothing.
        progress: receives progress and messages.

    Returns:
        A record of kind `attention`: `tables["heads"]` has a row for each attention head, `tables["tokens"]` one for
        each token.

    Raises:
        BadInput: there are not one or two texts, a text is empty or longer than the model reads at once, the model has
            no attention, the arrays cannot be read, or a file cannot be written.
    """
    arguments = dict(locals())
    from wordworth.settings_validation import settings_from
    from wordworth.studies.attention.study import STUDY
    from wordworth.text.tokens import encodable, require_texts

    read = [encodable(text) for text in require_texts(texts)]
    files = {name: None if arguments[name] is None else Path(arguments[name]) for name in ("arrays", "save_maps")}
    settings = settings_from({**arguments, **files}, AttentionSettings)
    return STUDY.answer(settings, out=out, progress=progress, texts=read)
