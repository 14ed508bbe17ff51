"""`fill`: what a masked language model would put in the gaps of a text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from wordworth.errors import BadInput, MissingExtra

if TYPE_CHECKING:
    from wordworth.models.language_model import LanguageModel
    from wordworth.text.encoding import Tokens

MASK = "[MASK]"
"""How a gap is written, whatever the model's own mark is."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A piece and its probability in one gap, given the text and the other gaps left open."""

    piece: str
    probability: float


@dataclass(frozen=True, slots=True)
class Filled:
    """A text with gaps and what fills them.

    Attributes:
        text: with its gaps.
        gaps: the likeliest pieces of each gap, best first. Each gap is filled by itself: the first choices together
            are not always the likeliest whole text.
        best: the text with the first choice in every gap.
    """

    text: str
    gaps: tuple[tuple[Guess, ...], ...]
    best: str


def fill(model: str | Path | LanguageModel, text: str, *, top: int = 5) -> Filled:
    """The likeliest pieces for each `[MASK]` of a text.

    Args:
        model: a name, a folder, or a language model that was loaded before.
        text: with one or more gaps, each written [MASK] or as the model's own mark.
        top: guesses for each gap.

    Raises:
        BadInput: the text has no gap or is too long, or the model is none that fills gaps.
        MissingExtra: torch is not installed.
    """
    loaded = _loaded(model)
    if loaded.reads != "masked":
        mend = "use one that was pretrained with masks, as BERT was"
        raise BadInput(f"{loaded.name} reads {loaded.reads}: it does not fill gaps", mend=mend)
    written, tokens, places = _read(loaded, text)
    logs = _answers(loaded, tokens, places)
    best = np.argsort(-logs, axis=1, kind="stable")[:, : max(1, top)]
    gaps = tuple(
        tuple(Guess(loaded.tokenizer.spelling(piece), float(np.exp(row[piece]))) for piece in order.tolist())
        for row, order in zip(logs, best, strict=True)
    )
    return Filled(text, gaps, _completed(written, tokens.offsets[places], [guesses[0].piece for guesses in gaps]))


def _loaded(model: str | Path | LanguageModel) -> LanguageModel:
    try:
        from wordworth.models.language_model import LanguageModel, language_model
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise MissingExtra("torch", "torch") from error
    return model if isinstance(model, LanguageModel) else language_model(model)


def _read(model: LanguageModel, text: str) -> tuple[str, Tokens, np.ndarray]:
    """The text in the model's own writing, its tokens and the places of its gaps."""
    mark = model.tokenizer.special_tokens.get("mask")
    if mark is None:
        raise BadInput(f"{model.name} has no mark for a gap", mend="use a model that was pretrained with masks")
    written = text.replace(MASK, mark)
    tokens = model.tokenizer.encode([written])[0]
    places = np.flatnonzero(tokens.ids == model.tokenizer.special_ids["mask"])
    if not len(places):
        mend = f'write {MASK} where a word is missing: "the capital of france is {MASK}."'
        raise BadInput("this text has no gap to fill", mend=mend)
    limit = model.encoder.config.max_length
    if len(tokens) > limit:
        raise BadInput(f"this text has {len(tokens)} tokens, the model reads {limit}", mend="shorten it around the gap")
    return written, tokens, places


def _answers(model: LanguageModel, tokens: Tokens, places: np.ndarray) -> np.ndarray:
    """Log-probabilities of every piece that the tokenizer knows, float32 [gaps, vocabulary]."""
    import torch

    from wordworth.models.batch import pack

    with torch.inference_mode():
        states = model.encoder(pack([tokens]).to(model.encoder.device))
        logs = model.log_probabilities(states[torch.from_numpy(places).to(states.device)])
    found: np.ndarray = logs[:, : model.tokenizer.vocab_size].numpy(force=True)
    return found


def _completed(text: str, spans: np.ndarray, pieces: list[str]) -> str:
    """The text with a piece in each gap; one that goes on with a word moves up to it."""
    for (start, end), piece in reversed(list(zip(spans.tolist(), pieces, strict=True))):
        before = text[:start].rstrip() if piece.startswith("##") else text[:start]
        text = before + piece.removeprefix("##") + text[end:]
    return text
