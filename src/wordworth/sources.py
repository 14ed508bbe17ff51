"""Where models, vectors and the demo data come from: names, pinned packages, hashes, licences.

A name is looked for in this order: the catalogue's own (carried by a pip package whose files are read where they lie,
its code never run), a local folder or file, the local cache of the Hugging Face hub. Nothing here reaches the network
but `download`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import Any, Literal

from wordworth.catalogue import ENTRIES, Entry, Kind
from wordworth.errors import BadInput, nearest
from wordworth.files import cache_folder, content_key, require_regular, sha256, write_text
from wordworth.json_file import read_object

Place = Literal["package", "folder", "hub"]

SAFE_PATTERNS = ("*.safetensors", "*.json", "*.txt")
"""What is fetched from a hub: weights and text, nothing that runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """Files on this machine that a name stands for.

    Attributes:
        name: as the user wrote it.
        folder: where they lie (of a single file, the folder around it).
        files: path under `folder` -> the file.
        sha256: path under `folder` -> digest; every file of a catalogue entry, the weights of anything else.
        place: a pip package, a local folder or file, or the hub's local cache.
    """

    name: str
    kind: Kind
    folder: Path
    files: Mapping[str, Path]
    place: Place
    licence: str = "as its origin states"
    origin: str = ""
    sha256: Mapping[str, str] = field(default_factory=dict)


def catalogue() -> list[Entry]:
    """The names that come with Wordworth."""
    return list(ENTRIES)


def resolve(name: str, *, kept: bool = False) -> Resolved:
    """The verified local files of a catalogue name, a local folder or file, or a hub name already in the hub's cache.

    Args:
        name: what a user wrote.
        kept: whether what is made of the files is kept or resumed: they are then read whole to know them by their
            bytes, where `digest` may otherwise save the time.

    Raises:
        BadInput: nothing of that name is on this machine (with the line that brings it), or its bytes are not the
            ones the catalogue promises.
    """
    entry = _entry(name)
    hashed = sha256 if kept else digest
    if entry is not None:
        return _of_catalogue(entry, hashed)
    return _of_path(name, *_place(name), hashed)


def require(name: str) -> None:
    """Make sure that something has a name, before any work: without reading its bytes, which `resolve` does.

    Raises:
        BadInput: nothing of that name is on this machine (with the line that brings it).
    """
    entry = _entry(name)
    if entry is None:
        _place(name)
    else:
        _catalogue_folder(entry)


def kind_of(name: str) -> Kind:
    """What stands behind a name, as `require` looks for it: a table of vectors where its files say so.

    Raises:
        BadInput: nothing of that name is on this machine.
    """
    entry = _entry(name)
    return _kind(_place(name)[0]) if entry is None else entry.kind


def _entry(name: str) -> Entry | None:
    """The catalogue's entry of a name, where it has one."""
    return next((entry for entry in ENTRIES if entry.name == name), None)


def _place(name: str) -> tuple[Path, Place]:
    """Where the files of a folder, a file or a hub name lie."""
    path = Path(name).expanduser()
    if path.exists():
        require_regular(path)
        return path, "folder"
    if path.suffix in _VECTORS:
        raise BadInput("there is no such file of vectors", where=name, mend="check the path")
    if name.startswith((".", "/", "~")) or name.endswith("/") or name.count("/") > 1:
        raise BadInput(f"no model, folder or file {name!r}", mend="check the path")
    return _hub_folder(name), "hub"


def download(name: str) -> Resolved:
    """Fetch a hub name (or a catalogue name that the hub has) into the hub's cache, over the network; then resolve it.

    Only weights in safetensors, JSON and text are fetched: nothing that could run. What an installed package carries is
    not fetched again.

    Raises:
        BadInput: the hub does not have it or cannot be reached, it has no weights in safetensors, its bytes are not the
            ones the catalogue promises, or the name comes by pip alone (with the line).
    """
    entry = _entry(name)
    if entry is None or not entry.installed:
        _fetch(name if entry is None else _on_the_hub(entry))
    found = resolve(name)
    if not found.sha256:
        raise BadInput("the hub has no .safetensors of it", where=name, mend="name a model that has")
    return found


def _on_the_hub(entry: Entry) -> str:
    if entry.hub is None:
        raise BadInput(f"{entry.name} is carried by a package", mend=entry.install)
    return entry.hub


def _fetch(name: str) -> None:
    from huggingface_hub import snapshot_download

    try:
        snapshot_download(name, allow_patterns=list(SAFE_PATTERNS))
    except Exception as error:  # the hub's own, its transport's, and those of a malformed name or HF_ENDPOINT
        said = str(error).partition("\n")[0]
        raise BadInput(f"cannot download: {said}", where=name, mend="check the name and the network") from error


def digest(path: Path) -> str:
    """The SHA-256 of a file, remembered under its path, size and times so that a large model starts fast.

    Programs can give other bytes the same size and time of change, but hardly the inode and the time at which the
    system saw the change. What is kept or resumed is told apart by `files.sha256` all the same (`resolve(kept=True)`).
    """
    status = path.stat()
    times = (status.st_mtime_ns, status.st_ctime_ns, status.st_dev, status.st_ino)
    note = cache_folder() / "digests" / content_key(path.resolve(), status.st_size, *times)
    with suppress(OSError, ValueError):
        known, check = note.read_text(encoding="ascii").split()
        if check == content_key(note.name, known):
            return known
    computed = sha256(path)
    with suppress(BadInput):  # a cache that cannot be written only costs time
        write_text(note, f"{computed} {content_key(note.name, computed)}\n")
    return computed


def _catalogue_folder(entry: Entry) -> tuple[Path, Place]:
    """Where the files of a catalogue name lie."""
    folder = entry.folder
    if folder is not None:
        return folder, "package"
    if entry.hub is not None:
        with suppress(BadInput):  # not on the hub's shelf either: say how to install it
            return _hub_folder(entry.hub), "hub"
    raise BadInput(f"{entry.title} is not installed", mend=entry.install)


def _of_catalogue(entry: Entry, hashed: Callable[[Path], str]) -> Resolved:
    folder, place = _catalogue_folder(entry)
    files = {path: folder / path for path in entry.files}
    for path, promised in entry.files.items():
        _verify(entry, files[path], promised, hashed)
    return Resolved(
        name=entry.name,
        kind=entry.kind,
        folder=folder,
        files=files,
        place=place,
        licence=entry.licence,
        origin=entry.origin,
        sha256=dict(entry.files),
    )


def _verify(entry: Entry, file: Path, promised: str, hashed: Callable[[Path], str]) -> None:
    again = entry.install.replace("install", "install --force-reinstall")
    if not file.is_file():
        raise BadInput("this file is missing from its package", where=str(file), mend=again)
    found = hashed(file)
    if found != promised:
        said = f"its SHA-256 is {found}, not {promised}: this is not the {entry.name} that Wordworth knows"
        raise BadInput(said, where=str(file), mend=again)


def _hub_folder(name: str) -> Path:
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (OSError, ValueError) as error:
        fetch = f"wordworth models --download {quote(name)}"
        if "/" in name:
            said = f"no folder {name!r} here, and no hub model of that name in the local cache"
            raise BadInput(said, mend=fetch) from error
        known = [entry.name for entry in ENTRIES if entry.kind != "data"]  # a hub name may be bare, as gpt2 is
        mend = f"{nearest(name, known)} (from the hub: {fetch})"
        raise BadInput(f"no model, folder or file {name!r}", mend=mend) from error


def _of_path(name: str, path: Path, place: Place, hashed: Callable[[Path], str]) -> Resolved:
    folder = path if path.is_dir() else path.parent
    found = _files_in(path, whole=place == "hub" or _holds_model(path)) if path.is_dir() else [path]
    files = {str(file.relative_to(folder)): file for file in found}
    weights = {place: hashed(file) for place, file in files.items() if file.suffix in _WEIGHTS}
    return Resolved(name=name, kind=_kind(path), folder=folder, files=files, place=place, origin=name, sha256=weights)


def _files_in(folder: Path, *, whole: bool) -> list[Path]:
    """The files of a folder by path, with those below it where it is `whole`: else these may be a home's or a disk's.

    Raises:
        BadInput: it is empty, cannot be read, or holds more than any model does.
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
    """Whether a config, a list of modules or weights lie directly in a folder."""
    names = {path.name for path in _files_in(folder, whole=False)}
    return (
        not names.isdisjoint({"config.json", "modules.json"})
        or any(name.endswith("options.json") or Path(name).suffix in _WEIGHTS for name in names)
        or (folder / "0_StaticEmbedding").is_dir()
    )


def _kind(path: Path) -> Kind:
    """A file of vectors, or a folder that says it holds a table, is static; any other folder an encoder."""
    if path.is_file():
        return "static"
    require_regular(path / "config.json")
    says: dict[str, Any] = {}
    with suppress(BadInput):  # a folder without a readable config is an encoder's to complain about
        says = read_object(path / "config.json")
    table = says.get("model_type") == "model2vec" or says.get("architectures") == ["StaticModel"]
    nested = (path / "0_StaticEmbedding").is_dir()  # sentence-transformers' form of the same
    arrays = any(path.glob("*.npy")) and any(path.glob("*.parquet"))
    return "static" if table or nested or arrays else "encoder"


_MOST_ENTRIES = 10_000
_VECTORS = frozenset({".npy", ".parquet", ".txt", ".vec", ".bin"})
"""How names of files end that hold vectors."""
_WEIGHTS = frozenset({".safetensors", ".bin", ".npy", ".parquet", ".vec", ".hdf5"})
