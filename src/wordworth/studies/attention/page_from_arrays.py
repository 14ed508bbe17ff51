"""`page_from_attention`: draw the page of attention maps that any library has computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from numpy.typing import ArrayLike

from wordworth.errors import BadInput
from wordworth.report_page import ReportPage
from wordworth.studies.word_vectors_by_layer import Units

_MOST = 2


def page_from_attention(  # noqa: PLR0913 - the arrays, each by its name
    attention: ArrayLike | Mapping[str, ArrayLike],
    tokens: Sequence[str],
    *,
    sentence_b_start: int | None = None,
    special: Sequence[bool] | None = None,
    word_ids: Sequence[int | None] | None = None,
    query: ArrayLike | None = None,
    key: ArrayLike | None = None,
    units: Units = "words",
    out: Path | str | None = None,
) -> ReportPage:
    """Draw the attention maps of any model, computed by any library, as one page.

        page = ww.page_from_attention(model(**inputs).attentions, tokenizer.convert_ids_to_tokens(ids))
        page.save("attention.html")

    Args:
        attention: the weights [layers, heads, tokens, tokens], or a list with [heads, tokens, tokens] or [1, heads,
            tokens, tokens] for each layer; two models by name, {"before": ..., "after": ...}, stand side by side.
        tokens: each token, at most 1,024.
        sentence_b_start: index of the second text's first token, so that the page can filter attention by text; None
            for a single text.
        special: whether each token is special; by default tokens that are written like special tokens, such as [CLS].
        word_ids: the number of each token's word, and None for special tokens, as `word_ids()` of transformers'
            tokenizers returns them; by default words follow from the marks of subwords (##, Ġ, ▁).
        query: the queries, [layers, heads, tokens, size], of one model; with `key`, the page shows the query and the
            key of any two tokens. None leaves this view out.
        key: the keys, in the shape of `query`.
        units: whether tables give attention between words, if these are known, or between `pieces` (tokens).
        out: a file for the page; None writes nothing.

    Returns:
        The page, one self-contained HTML document as a string; it shows itself in a notebook.

    Raises:
        BadInput: an array has another shape, is empty, holds NaN or values outside 0 to 1, or does not fit the tokens;
            or `out` cannot be written.
    """
    from wordworth.reports import render
    from wordworth.studies.attention.maps_from_arrays import maps_of_arrays
    from wordworth.studies.attention.study import record_of

    models = attention if isinstance(attention, Mapping) else {"attention": attention}
    if not 0 < len(models) <= _MOST:
        raise BadInput(f"got {len(models)} models", mend="give the attention of one model, or of two by name")
    options = {"sentence_b_start": sentence_b_start, "special": special, "word_ids": word_ids}
    vectors = {"query": query, "key": key} if len(models) == 1 else {}
    if len(models) > 1 and query is not None:
        raise BadInput("query and key are of one model", mend="leave them out, or give one model")
    maps = [
        maps_of_arrays(weights, tokens, name=str(name), **options, **vectors)  # type: ignore[arg-type]  # by name
        for name, weights in models.items()
    ]
    record = record_of(maps, {"name": "arrays"}, {"units": units}, {})
    page = ReportPage(render(record))
    if out is not None:
        page.save(out)
    return page
