"""`load`: load an encoder or static table by name or folder."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from wordworth.errors import BadInput, MissingExtra
from wordworth.files import as_path
from wordworth.models.cpu_inference import DtypeOption, require_dtype
from wordworth.sources import FINE_TUNED, Resolved, resolve, short_name

if TYPE_CHECKING:
    from wordworth.models.encoder_base import LastLayer
    from wordworth.models.static_embeddings import StaticTable
    from wordworth.models.text_encoder import TextEncoder

_DEVICES = ("auto", "cpu", "cuda")
Loaded: TypeAlias = "TextEncoder | StaticTable"


def load(
    model: str | Path,
    *,
    dtype: DtypeOption = "float32",
    threads: int | None = None,
    last_layer: LastLayer = "after_final_norm",
    hash_whole: bool = False,
    device: str = "cpu",
) -> Loaded:
    """Load an encoder or a static table by its name in the catalogue, its local folder or file, or its cached hub name.

    Args:
        model: anything that `wordworth.sources.resolve` accepts.
        dtype: dtype of an encoder's computation; vectors are always float32. `auto` is bfloat16 if the device has
            bfloat16 instructions, else float32; `int8` is for a CPU.
        threads: number of torch's threads in the whole process; None leaves it as it is.
        last_layer: `after_final_norm` or `before_final_norm`: whether the last layer's states are taken after or before
            the final norm of a model that has one (GPT-2); no effect on other models.
        hash_whole: whether to hash the files anew, which is needed if results are cached under the hash or resumed. If
            not, a hash cached under the file's path, size and times may be used (see `wordworth.sources.resolve`).
        device: where an encoder computes: `cpu`, `cuda`, or `auto`, which is a GPU if there is one. A static table is
            looked up on the CPU.

    Raises:
        BadInput: nothing has that name, the files of that name are damaged or do not fit each other, or this machine
            has no such device.
        MissingExtra: the name is of an encoder, and torch is not installed.
    """
    require_dtype(dtype)
    _require_threads(threads)
    as_path(model, "model")
    resolved = resolve(str(model), hash_whole=hash_whole)
    if resolved.kind == "static":
        from wordworth.models.static.read_static_table import read_resolved

        _require_device_name(device)
        return read_resolved(resolved)
    if resolved.kind != "encoder":
        raise BadInput(f"{resolved.name!r} gives no vectors ({resolved.kind})", mend="name an encoder or a table")
    if (resolved.folder / FINE_TUNED).exists() and not (resolved.folder / "config.json").exists():
        what = "this model predicts, and holds no encoder"
        raise BadInput(what, where=str(model), mend="use wordworth predict or serve, or name the encoder that it reads")
    try:
        from wordworth.models.read_encoder import read_encoder
    except ModuleNotFoundError as error:
        if error.name != "torch":
            raise
        raise MissingExtra("torch", "torch") from error
    name = _short(resolved)
    return read_encoder(resolved.folder, name=name, dtype=dtype, threads=threads, last_layer=last_layer, device=device)


@dataclass(frozen=True, slots=True, kw_only=True)
class EncoderSpec:
    """Options of `load`, sent to another process in place of the weights; the other process loads the encoder itself.

    Attributes:
        name: name, folder or file of the encoder.
        dtype: dtype of the computation.
        threads: number of torch's threads in the process that loads the encoder; None leaves the number unchanged.
        last_layer: `after_final_norm` or `before_final_norm`, as in `load`.
        hash_whole: whether to hash the files anew, as in `load`.
    """

    name: str
    dtype: DtypeOption = "float32"
    threads: int | None = None
    last_layer: LastLayer = "after_final_norm"
    hash_whole: bool = False

    def open(self) -> TextEncoder:
        """Load the encoder called `name` with these options.

        Raises:
            BadInput: no encoder is called `name`, its files are damaged, or `name` is a static table.
            MissingExtra: torch is not installed.
        """
        options = {
            "dtype": self.dtype,
            "threads": self.threads,
            "last_layer": self.last_layer,
            "hash_whole": self.hash_whole,
        }
        loaded = load(self.name, **options)  # type: ignore[arg-type]  # each option has its type
        from wordworth.models.static_embeddings import StaticTable

        if isinstance(loaded, StaticTable):
            raise BadInput(f"{self.name!r} is a static table, not an encoder", mend="name an encoder")
        return loaded


def _require_threads(threads: object) -> None:
    if threads is not None and not (isinstance(threads, Integral) and int(threads) >= 1):
        raise BadInput(f"--threads is {threads!r}", mend="give a whole number from 1 on")


def require_device(device: object) -> None:
    """Check that this machine has a device, before work that takes long; only a GPU's name needs torch.

    Raises:
        BadInput: the value is not the name of a device, or this machine has no such device.
        MissingExtra: the device is a GPU, and torch is not installed.
    """
    _require_device_name(device)
    if str(device).startswith("cuda"):
        try:
            from wordworth.models.devices import device_of
        except ModuleNotFoundError as error:
            if error.name != "torch":
                raise
            raise MissingExtra("torch", "torch") from error
        device_of(str(device))


def _require_device_name(device: object) -> None:
    """Check the name of a device without torch, whatever devices this machine has."""
    if not (isinstance(device, str) and device.partition(":")[0] in _DEVICES):
        raise BadInput(f"no device {device!r}", where="--device", mend="give auto, cpu or cuda")


def _short(resolved: Resolved) -> str:
    return short_name(str(resolved.folder)) if resolved.location == "folder" else resolved.name
