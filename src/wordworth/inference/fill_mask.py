"""`fill`: a masked language model's predictions for the masked gaps of a text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from wordworth.errors import BadInput, MissingExtra
from wordworth.inference.fill_settings import FillSettings
from wordworth.settings_docs import documented_by

if TYPE_CHECKING:
    from wordworth.models.language_model import LanguageModel
    from wordworth.text.tokenizer_protocol import TokenizerProtocol
    from wordworth.text.tokens import Tokens

MASK = "[MASK]"
"""How a gap is written in a text, whatever the model's own mask token is."""


@dataclass(frozen=True, slots=True)
class Guess:
    """A guess for one gap of a text, computed while all other gaps are masked.

    Attributes:
        piece: an entry of the model's vocabulary (a word or subword).
        probability: the probability of the piece in the gap, from 0 to 1.
    """

    piece: str
    probability: float


@dataclass(frozen=True, slots=True)
class Filled:
    """A text with gaps, and the predictions for the gaps.

    Attributes:
        text: the text with its gaps.
        gaps: for each gap, in the order of the text, the likeliest pieces, best first. Each gap is predicted
            independently: the first choices together are not always the likeliest whole text.
        best: the text with the first choice in every gap.
    """

    text: str
    gaps: tuple[tuple[Guess, ...], ...]
    best: str


@documented_by(FillSettings)
def fill(model: str | Path | LanguageModel, text: str, *, top: int = 5) -> Filled:
    """Predict the likeliest pieces for each `[MASK]` of a text; return them with the text filled in.

    Args:
        model: the name or folder of a masked language model, or a loaded one.
        text: a text with one or more gaps, each written [MASK] or as the model's own mask token.
        top: number of guesses for each gap.

    Raises:
        BadInput: the text has no gap or is too long, or the model is not a masked language model.
        MissingExtra: torch is not installed.
    """
    if not isinstance(text, str):
        raise BadInput(f"{text!r:.60} ({type(text).__name__}) is not one text", mend="call it for each text")
    settings = FillSettings(top=top)
    loaded = _loaded(model)
    if loaded.reads != "masked":
        mend = "use one that was pretrained with masks, as BERT was"
        raise BadInput(f"{loaded.name} reads {loaded.reads}: it does not fill gaps", mend=mend)
    masked_text, tokens, positions = _read(loaded, text)
    logs = _gap_log_probabilities(loaded, tokens, positions)
    best = np.argsort(-logs, axis=1, kind="stable")[:, : settings.top]
    gaps = tuple(
        tuple(Guess(loaded.tokenizer.spelling(piece), float(np.exp(row[piece]))) for piece in order.tolist())
        for row, order in zip(logs, best, strict=True)
    )
    pieces = [_joined(loaded.tokenizer, order[0], guesses[0].piece) for order, guesses in zip(best, gaps, strict=True)]
    return Filled(text, gaps, fill_gaps(masked_text, tokens.offsets[positions], pieces))


def _joined(tokenizer: TokenizerProtocol, index: int, spelling: str) -> str:
    """Return a piece's spelling, with `##` before it if the piece continues a word.

    In vocabularies that mark the beginnings of words (byte pairs), a piece without this mark continues a word.
    """
    mark = getattr(tokenizer, "blank_mark", "")
    return f"##{spelling}" if mark and not tokenizer.token(int(index)).startswith(mark) else spelling


def _loaded(model: str | Path | LanguageModel) -> LanguageModel:
    try:
        from wordworth.models.language_model import LanguageModel, language_model
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise MissingExtra("torch", "torch") from error
    return model if isinstance(model, LanguageModel) else language_model(model)


def _read(model: LanguageModel, text: str) -> tuple[str, Tokens, np.ndarray]:
    """Return the text with the model's own mask token, its tokens, and the token indices of the gaps, int64 [gaps]."""
    mask_token = model.tokenizer.special_tokens.get("mask")
    if mask_token is None:
        raise BadInput(f"{model.name} has no mask token", mend="use a model that was pretrained with masks")
    masked_text = text.replace(MASK, mask_token)
    tokens = model.tokenizer.encode([masked_text])[0]
    positions = np.flatnonzero(tokens.ids == model.tokenizer.special_ids["mask"])
    if not len(positions):
        mend = f'write {MASK} where a word is missing: "the capital of france is {MASK}."'
        raise BadInput("this text has no gap to fill", mend=mend)
    limit = model.encoder.config.max_length
    if len(tokens) > limit:
        raise BadInput(f"this text has {len(tokens)} tokens, the model reads {limit}", mend="shorten it around the gap")
    return masked_text, tokens, positions


def _gap_log_probabilities(model: LanguageModel, tokens: Tokens, positions: np.ndarray) -> np.ndarray:
    """Return the log-probability of every piece of the vocabulary in each gap, float32 [gaps, vocabulary]."""
    import torch

    from wordworth.models.batch import pack

    with torch.inference_mode():
        states = model.encoder(pack([tokens]).to(model.encoder.device))
        logs = model.log_probabilities(states[torch.from_numpy(positions).to(states.device)])
    known_logs: np.ndarray = logs[:, : model.tokenizer.vocab_size].numpy(force=True)
    return known_logs


def fill_gaps(text: str, spans: np.ndarray, pieces: list[str]) -> str:
    """Return the text with each gap filled by its piece; a `##` continuation is joined to the word before.

    The white space with which a gap begins stays before a piece that begins a word.

    Args:
        text: the text with gaps.
        spans: int [gaps, 2], the index of each gap's first character, and of the character after its last.
        pieces: one piece for each gap.
    """
    for (start, end), piece in reversed(list(zip(spans.tolist(), pieces, strict=True))):
        space = text[start:end][: -len(text[start:end].lstrip())]
        before = text[:start].rstrip() if piece.startswith("##") else text[:start] + space
        text = before + piece.removeprefix("##") + text[end:]
    return text
