"""`resolve` a name of a model or data set to verified files on this machine; `download` fetches one from the hub.

A name is looked up in this order: in the catalogue (files of an installed pip package, read without running the
package's code), as a local folder or file, in the local cache of the Hugging Face hub. Only `download` uses the
network.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import Any, Literal

from wordworth.download_catalogue import ENTRIES, Entry, Kind
from wordworth.errors import BadInput, nearest
from wordworth.files import cache_folder, content_key, require_regular, sha256, write_text
from wordworth.json_file import read_object

Location = Literal["package", "folder", "hub"]

SAFE_PATTERNS = ("*.safetensors", "*.json", "*.txt")
"""File patterns that are fetched from a hub: weights and text, nothing that runs."""


FINE_TUNED = "wordworth.json"
"""File beside the weights of a fine-tuned model, with its metadata (classes, columns and so on) for predicting."""
RUN_MODEL = "model"
"""The folder of the model in the output folder of a fine-tuning."""
FINETUNED_SUFFIX = "-finetuned"
"""The suffix by which the name of an encoder becomes that of its fine-tuned rung."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """The files on this machine that a name stands for.

    Attributes:
        name: the name as the user wrote it.
        kind: `encoder`, `static` (a table of vectors) or `data`.
        folder: the folder of the files (for a single file, the folder around it).
        files: path under `folder` -> the file.
        location: where the files are: in a pip package, in a local folder (or a file), or in the hub's local cache.
        licence: the licence, if the catalogue states it.
        origin: where the files were first published; empty if unknown.
        sha256: path under `folder` -> SHA-256, for all files of a catalogue entry; for other models, for the weights
            only.
    """

    name: str
    kind: Kind
    folder: Path
    files: Mapping[str, Path]
    location: Location
    licence: str = "as its origin states"
    origin: str = ""
    sha256: Mapping[str, str] = field(default_factory=dict)

    @property
    def weight_bytes(self) -> int:
        """The size of the files of weights or vectors in bytes."""
        return sum(file.stat().st_size for file in self.files.values() if file.suffix in _WEIGHTS)


def catalogue() -> list[Entry]:
    """Return the entries of the catalogue: the names that Wordworth knows."""
    return list(ENTRIES)


def short_name(model: str) -> str:
    """Return the short name of a model: the last part of its path or hub name.

    Fine-tuning writes its model into the subfolder `model` of its output folder; the short name of such a model is the
    name of the output folder.

    >>> short_name("sentence-transformers/all-MiniLM-L6-v2")
    'all-MiniLM-L6-v2'
    """
    path = Path(model)
    if path.name == RUN_MODEL and (path / FINE_TUNED).exists():
        path = path.resolve().parent
    return path.name or model


def display_name(model: str) -> str:
    """Return a model's name as pages show it: the first word of its title in the catalogue, else `short_name`.

    >>> display_name("minilm")
    'MiniLM'
    """
    return next((entry.title.split()[0] for entry in catalogue() if entry.name == model), short_name(model))


def resolve(name: str, *, hash_whole: bool = False) -> Resolved:
    """Return the files on this machine that a name stands for.

    The name is a name of the catalogue, whose files are verified by their hashes; the path of a folder or file; or a
    name on the Hugging Face hub whose files are in the hub's cache.

    Args:
        name: the name as the user wrote it.
        hash_whole: whether to hash the bytes of all files anew, which callers that cache or resume results need. If
            False, `digest` may reuse a hash from an earlier call.

    Raises:
        BadInput: nothing with this name is on this machine (the error gives the command that fetches it), or the
            bytes of its files differ from the catalogue's hashes.
    """
    entry = _entry(name)
    hash_file = sha256 if hash_whole else digest
    if entry is not None:
        return _from_catalogue(entry, hash_file)
    return _from_path(name, *_locate(name), hash_file)


def require(name: str) -> None:
    """Check that this machine has a model or table of this name; unlike `resolve`, without hashing its files.

    Raises:
        BadInput: nothing with this name is on this machine (the error gives the command that fetches it).
    """
    entry = _entry(name)
    if entry is None:
        _locate(name)
    else:
        _catalogue_folder(entry)


def kind_of(name: str) -> Kind:
    """Return the kind of a named model: the kind of its catalogue entry, else `static` or `encoder` as its files say.

    Raises:
        BadInput: nothing with this name is on this machine.
    """
    entry = _entry(name)
    return _kind(_locate(name)[0]) if entry is None else entry.kind


def require_encoder(name: str, action: str) -> None:
    """Check, before data or weights are read, that a model is an encoder (a neural network) and not a static table.

    Args:
        name: the name of the model as the user wrote it.
        action: a participle that says what the caller does to an encoder, such as `trained`, for the error.

    Raises:
        BadInput: nothing with this name is on this machine, or it is a static table.
    """
    if kind_of(name) == "static":
        table = "a file, not the folder of an encoder," if Path(name).is_file() else "a table of vectors"
        raise BadInput(f"{name!r} is {table} and cannot be {action}", mend="name an encoder: --model minilm")


def _entry(name: str) -> Entry | None:
    """Return the catalogue's entry with this name, or None."""
    return next((entry for entry in ENTRIES if entry.name == name), None)


def _locate(name: str) -> tuple[Path, Location]:
    """Return (path, location) of the files that a name outside the catalogue stands for.

    The name is a folder, a file, or the name of a model in the hub's local cache. For the output folder of fine-tuning
    the path is its subfolder with the model.

    Raises:
        BadInput: nothing with this name is on this machine.
    """
    if not str(name).strip():
        raise BadInput("the name of the model is empty", mend="give a name, a folder or a hub name")
    path = Path(name).expanduser()
    if path.exists():
        require_regular(path)
        of_run = path / RUN_MODEL
        return of_run if (of_run / FINE_TUNED).exists() else path, "folder"
    if path.suffix in _VECTORS:
        raise BadInput("no such file of vectors", where=name, mend="check the path")
    if name.startswith((".", "/", "~")) or name.endswith("/") or name.count("/") > 1:
        raise BadInput(f"no model, folder or file {name!r}", mend="check the path")
    return _hub_folder(name), "hub"


def download(name: str) -> Resolved:
    """Download a model's files into the hub's local cache, and return its resolved files.

    `name` is a name on the Hugging Face hub, or a catalogue name of a model that the hub has too. If the pip package
    that holds a catalogue name's files is installed, nothing is fetched. Only safetensors, JSON and text files are
    fetched: nothing that could run.

    Raises:
        BadInput: the hub does not have the name, cannot be reached, or has no weights in safetensors; the bytes differ
            from the catalogue's hashes; or the name is available by pip only (the error gives the command).
    """
    entry = _entry(name)
    if entry is None or not entry.installed:
        _fetch(name if entry is None else _hub_name(entry))
    resolved = resolve(name)
    if not resolved.sha256:
        raise BadInput("the hub has no .safetensors weights for it", where=name, mend="name a model that has some")
    return resolved


def hub_download() -> Callable[..., str]:
    """Import huggingface_hub, and return its function `snapshot_download`.

    Raises:
        BadInput: an environment variable that the library reads on import is malformed.
    """
    try:
        import_module("huggingface_hub.constants")  # first: a malformed variable found later is printed as well
        from huggingface_hub import snapshot_download
    except ValueError as error:
        mend = "correct or unset HF_ENDPOINT and the other variables HF_..."
        raise BadInput(f"huggingface_hub cannot be loaded: {error}", where="environment", mend=mend) from error
    return snapshot_download


def _hub_name(entry: Entry) -> str:
    if entry.hub is None:
        raise BadInput(f"{entry.name} comes as a pip package, not from the hub", mend=entry.install)
    return entry.hub


def _fetch(name: str) -> None:
    snapshot_download = hub_download()
    try:
        snapshot_download(name, allow_patterns=list(SAFE_PATTERNS))
    except Exception as error:  # of the hub, its transport, or a malformed name or HF_ENDPOINT
        reason = str(error).partition("\n")[0]
        raise BadInput(f"cannot download: {reason}", where=name, mend="check the name and the network") from error


def digest(path: Path) -> str:
    """Return the SHA-256 of a file, from a cache if the file seems unchanged, so that a large model starts fast.

    A file seems unchanged if its path, size, inode, modification time and change time are the same. Code that caches
    or resumes results does not rely on this and hashes the bytes: `resolve(hash_whole=True)`, which uses
    `files.sha256`.
    """
    status = path.stat()
    times = (status.st_mtime_ns, status.st_ctime_ns, status.st_dev, status.st_ino)
    cached = cache_folder() / "digests" / content_key(path.resolve(), status.st_size, *times)
    with suppress(OSError, ValueError):
        known, check = cached.read_text(encoding="ascii").split()
        if check == content_key(cached.name, known):
            return known
    computed = sha256(path)
    with suppress(BadInput):  # a cache that cannot be written only costs time
        write_text(cached, f"{computed} {content_key(cached.name, computed)}\n")
    return computed


def _catalogue_folder(entry: Entry) -> tuple[Path, Location]:
    """Return (folder of a catalogue entry's files, location): the installed package, else the hub's local cache.

    Raises:
        BadInput: neither has the files.
    """
    folder = entry.folder
    if folder is not None:
        return folder, "package"
    if entry.hub is not None:
        with suppress(BadInput):  # not in the hub's cache either: say how to install it
            return _hub_folder(entry.hub), "hub"
    raise BadInput(f"{entry.title} is not installed", mend=entry.install)


def _from_catalogue(entry: Entry, hash_file: Callable[[Path], str]) -> Resolved:
    folder, location = _catalogue_folder(entry)
    files = {path: folder / path for path in entry.files}
    for path, expected in entry.files.items():
        _verify(entry, files[path], expected, hash_file)
    return Resolved(
        name=entry.name,
        kind=entry.kind,
        folder=folder,
        files=files,
        location=location,
        licence=entry.licence,
        origin=entry.origin,
        sha256=dict(entry.files),
    )


def _verify(entry: Entry, file: Path, expected: str, hash_file: Callable[[Path], str]) -> None:
    reinstall = entry.install.replace("install", "install --force-reinstall")
    if not file.is_file():
        raise BadInput("this file is missing from its package", where=str(file), mend=reinstall)
    actual = hash_file(file)
    if actual != expected:
        message = f"its SHA-256 is {actual}, not {expected}: this is not the {entry.name} that Wordworth knows"
        raise BadInput(message, where=str(file), mend=reinstall)


def _hub_folder(name: str) -> Path:
    snapshot_download = hub_download()
    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (OSError, ValueError) as error:
        command = f"wordworth models --download {quote(name)}"
        if "/" in name:
            message = f"no folder {name!r} here, and no hub model of that name in the local cache"
            raise BadInput(message, mend=command) from error
        known = [entry.name for entry in ENTRIES if entry.kind != "data"]  # a hub name may be bare, as gpt2 is
        mend = f"{nearest(name, known)} (from the hub: {command})"
        raise BadInput(f"no model, folder or file {name!r}", mend=mend) from error


def _from_path(name: str, path: Path, location: Location, hash_file: Callable[[Path], str]) -> Resolved:
    folder = path if path.is_dir() else path.parent
    if path.is_dir() and location == "folder" and not _holds_model(path):
        what = "this folder holds no model: neither a config.json nor weights are in it"
        raise BadInput(what, where=name, mend="give the folder that holds the model's files")
    paths = _files_in(path, whole=location == "hub" or _holds_model(path)) if path.is_dir() else [path]
    files = {str(file.relative_to(folder)): file for file in paths}
    weights = {path: hash_file(file) for path, file in files.items() if file.suffix in _WEIGHTS}
    return Resolved(
        name=name, kind=_kind(path), folder=folder, files=files, location=location, origin=name, sha256=weights
    )


def _files_in(folder: Path, *, whole: bool) -> list[Path]:
    """Return the files of a folder in order of path.

    Args:
        folder: the folder.
        whole: whether files in subfolders are returned too. A folder that may not be a model's is read without them: it
            could be a user's home or a whole disk.

    Raises:
        BadInput: the folder is empty, cannot be read, or holds more files than any model does.
    """
    mend = "give the folder that holds the model's files"
    try:
        entries = list(islice(folder.rglob("*") if whole else folder.iterdir(), _MOST_ENTRIES + 1))
    except OSError as error:
        raise BadInput(f"cannot read: {error.strerror}", where=str(folder), mend=mend) from error
    if not entries:
        raise BadInput("this folder is empty", where=str(folder), mend=mend)
    if len(entries) > _MOST_ENTRIES:
        raise BadInput(f"this folder holds more than {_MOST_ENTRIES:,} files", where=str(folder), mend=mend)
    return sorted(entry for entry in entries if entry.is_file())


def _holds_model(folder: Path) -> bool:
    """Return whether a model's files lie directly in a folder: a config, a list of modules, weights or metadata."""
    names = {path.name for path in _files_in(folder, whole=False)}
    return (
        not names.isdisjoint({"config.json", "modules.json", FINE_TUNED})
        or any(name.endswith("options.json") or Path(name).suffix in _WEIGHTS for name in names)
        or (folder / "0_StaticEmbedding").is_dir()
    )


def _kind(path: Path) -> Kind:
    """Return `static` for a file, and for a folder whose config or files are a static table's; else `encoder`."""
    if path.is_file():
        return "static"
    require_regular(path / "config.json")
    config: dict[str, Any] = {}
    with suppress(BadInput):  # loading an encoder reports an unreadable config
        config = read_object(path / "config.json")
    table = config.get("model_type") == "model2vec" or config.get("architectures") == ["StaticModel"]
    nested = (path / "0_StaticEmbedding").is_dir()  # sentence-transformers' form of the same
    arrays = any(path.glob("*.npy")) and any(path.glob("*.parquet"))
    return "static" if table or nested or arrays else "encoder"


_MOST_ENTRIES = 10_000
_VECTORS = frozenset({".npy", ".parquet", ".csv", ".tsv", ".jsonl", ".txt", ".vec", ".bin"})
"""Suffixes of files of vectors."""
_WEIGHTS = frozenset({".safetensors", ".bin", ".npy", ".parquet", ".vec", ".hdf5"})
"""Suffixes of files that hold a model's weights or vectors."""
