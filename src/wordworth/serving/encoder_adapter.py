"""`EncoderReader`: a contextual encoder as the server's `TextReader`; its vectors equal `TextEncoder.encode`'s."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any

import torch

from wordworth.models.parallel_map import ONE_THREAD
from wordworth.models.pooling import Normalize
from wordworth.models.prompts import with_prompt_called
from wordworth.models.text_encoder import TextEncoder
from wordworth.models.token_contributions import token_states
from wordworth.models.vector_space_identity import fingerprint_of
from wordworth.serving.text_reader import Floats, ReadText, TokenSpan
from wordworth.text.tokens import Tokens
from wordworth.text.truncation import truncate_texts


class EncoderReader:
    """A sentence encoder with the interface by which the server uses any model that computes vectors (`TextReader`)."""

    confine: Callable[[], AbstractContextManager[Any]] = staticmethod(ONE_THREAD.limit)

    def __init__(self, encoder: TextEncoder) -> None:
        self.encoder = encoder
        self.width, self.dtype = encoder.width, encoder.dtype
        self.window: int | None = encoder.max_length
        self.prompts = encoder.prompts
        self.pooling, self.layers = "+".join(encoder.head.modes), encoder.head.layers or (encoder.depth,)
        self.has_unit_vectors = bool(encoder.head.steps) and isinstance(encoder.head.steps[-1], Normalize)
        self.threads = torch.get_num_threads() if encoder.model.device.type == "cpu" else 1

    def fingerprint(self) -> str:
        """Return a hash of the encoder's weights, tokenizer, pooling, prompt and dtype."""
        return fingerprint_of(self.encoder)

    def read(self, texts: Sequence[str], *, cut: bool, prompt: str | None = None) -> list[ReadText]:
        """Tokenize texts.

        Args:
            texts: the texts.
            cut: whether to truncate each text to one window of the model.
            prompt: name of the model's prompt to put before each text; None for the default prompt.
        """
        tokens = with_prompt_called(prompt, self.encoder).tokenize(texts)
        read, _ = truncate_texts(tokens, self.encoder.window) if cut else (tokens, 0)
        return [ReadText(each, len(each), len(whole) - len(each)) for each, whole in zip(read, tokens, strict=True)]

    def embed(self, texts: Sequence[ReadText]) -> Floats:
        """Return the vectors of texts, float32 [texts, width]."""
        return self.encoder.embed_tokens([text.tokens for text in texts]).vectors

    def embed_tokens(self, texts: Sequence[ReadText]) -> list[Floats]:
        """Return for each text the last hidden states of its tokens, float32 [tokens, width of the pooled states]."""
        return token_states(self.encoder, [text.tokens for text in texts])

    def token_spans(self, texts: Sequence[str], *, special: bool) -> list[list[TokenSpan]]:
        """Return the tokens of each text.

        Args:
            texts: the texts.
            special: whether special tokens are returned too.
        """
        return [self._spans(tokens, special=special) for tokens in self.encoder.tokenizer.encode(texts)]

    def _spans(self, tokens: Tokens, *, special: bool) -> list[TokenSpan]:
        columns = zip(tokens.ids.tolist(), tokens.offsets.tolist(), (tokens.words >= 0).tolist(), strict=True)
        return [
            TokenSpan(number, self.encoder.tokenizer.token(number), (start, end) if is_inner else None)
            for number, (start, end), is_inner in columns
            if special or is_inner
        ]
