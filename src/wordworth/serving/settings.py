"""`ServeSettings`: the settings of `serve`, shared by Python and the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from wordworth.models.cpu_inference import DtypeOption
from wordworth.settings_validation import POSITIVE, ValidRange, at_least, setting, validate
from wordworth.text.windows import LongTexts

_PORTS = ValidRange(lambda value: 0 <= value < 1 << 16, "0 to 65535")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeSettings:
    """Settings of `serve`, which answers requests for vectors or predictions over HTTP."""

    host: str = setting("127.0.0.1", "Address to listen on; 0.0.0.0 is every network of this machine.")
    port: int = setting(8080, "Port to listen on; 0 takes a free one. [default: 8080]", _PORTS)
    api_key_file: Path | None = setting(None, "File of accepted API keys, one a line; without it no key is asked for.")
    tls_certificate: Path | None = setting(None, "PEM file of a certificate, to speak HTTPS; with --tls-key.")
    tls_key: Path | None = setting(None, "PEM file of the certificate's private key.")
    dtype: DtypeOption = setting("auto", "Data type to compute in; auto is bfloat16 where the CPU supports it.")
    device: str = setting("auto", "cpu, cuda, or auto, which uses a GPU if there is one.")
    long_texts: LongTexts = setting("window", "How to read texts longer than the model's window.")
    pooling: tuple[str, ...] = setting(
        (), "Pooling of token states, in place of the model's own. Repeatable: vectors are joined."
    )
    layers: tuple[int, ...] = setting(
        (), "Layer whose states are pooled; -2 is the last but one. Repeatable: states are joined.", flags=("--layer",)
    )
    special_tokens: bool = setting(True, "Pool the states of words alone, and none of special tokens such as [CLS].")
    threads: int | None = setting(None, "Number of threads that compute; the vectors do not depend on it.", at_least(1))
    max_texts: int = setting(2048, "Most texts of a request.", at_least(1))
    max_text_tokens: int = setting(8192, "Most tokens that are read of a text.", at_least(1))
    max_body_bytes: int = setting(2_000_000, "Most bytes of a request's body.", at_least(1))
    max_waiting: int = setting(512, "Most requests that wait or are computed; more are refused with 429.", at_least(1))
    timeout: float = setting(60.0, "Seconds until a request that waits is given up with 504.", POSITIVE)

    @property
    def pools_as_model(self) -> bool:
        """True if `pooling`, `layers` and `special_tokens` all leave the model's own pooling as it is."""
        return not self.layers and not self.pooling and self.special_tokens

    def __post_init__(self) -> None:
        validate(self)
