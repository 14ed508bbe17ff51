"""Keys of an encoder under which its results are cached; another encoder never gets these results."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wordworth.files import content_key
from wordworth.package_versions import code_key

if TYPE_CHECKING:
    from torch import Tensor

    from wordworth.models.text_encoder import TextEncoder


def fingerprint(encoder: TextEncoder) -> str:
    """Return a key that changes with the encoder's weights, tokenizer, pooling, window, prompt or dtype."""
    weights = map(_memory, encoder.model.state_dict().values())
    settings = (encoder.tokenizer.fingerprint, encoder.head.modes, len(encoder.head.steps), encoder.max_length)
    return content_key(*weights, *settings, encoder.prompt, encoder.dtype)


def training_key(encoder: TextEncoder) -> str:
    """Return a key of an encoder and its type of device, under which results of its training are cached.

    A GPU adds numbers in another order than a CPU, so that the same training gives slightly different weights.
    """
    device = encoder.model.device.type
    return fingerprint(encoder) if device == "cpu" else content_key(fingerprint(encoder), device)


def vectors_key(encoder: TextEncoder, *subpackages: str) -> str:
    """Return a key of all that decides an encoder's vectors, under which they are cached.

    The key changes with the encoder's weights, settings and layers after the pooling, with the device and the kernel,
    and with the code that computes: Wordworth's, and the versions of packages such as torch.

    Args:
        encoder: the encoder that computes the vectors.
        subpackages: folders of the package `wordworth` whose source code enters the key, beside `models` and `text`.
    """
    computing = (encoder.kernel, encoder.model.device, code_key("models", "text", *subpackages))
    return content_key(fingerprint(encoder), encoder.head.fingerprint, *computing)


def _memory(weights: Tensor) -> memoryview:
    """Return the bytes of weights as float32, without a copy where they are float32 already."""
    return weights.detach().float().numpy(force=True).reshape(-1).view(np.uint8).data
