"""The corpora of a domain, of a control and of general text that a user names, and their token stores."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from parts.cells import Cell, keep_to, work
from parts.domain_answer import PLAIN
from parts.domain_stores import GENERAL, build
from wordworth.checked_json import read_checked
from wordworth.cli.progress_bars import Bars
from wordworth.errors import BadInput
from wordworth.files import content_key, sha256, write_text
from wordworth.sources import resolve
from wordworth.text.corpus.evaluation_overlap import EvaluationTexts
from wordworth.text.corpus.read_documents import CorpusSettings, corpus_files
from wordworth.text.tokenizer import Tokenizer


@dataclass(frozen=True, slots=True)
class Names:
    """The names of the corpora, by which the models that have gone on with them are called too.

    Attributes:
        domain: name of the domain's corpus.
        control: name of the control's.
        general: whether there is general text, which is called `GENERAL`.
    """

    domain: str
    control: str
    general: bool

    @property
    def models(self) -> tuple[str, str, str]:
        """The models that are compared."""
        return PLAIN, self.domain, self.control

    @property
    def texts(self) -> tuple[str, ...]:
        """The corpora whose unseen text is asked about."""
        return self.domain, self.control, *((GENERAL,) if self.general else ())


def settings_file(stores: Path) -> Path:
    """Return the file of the settings that the stores were made with, which is written last of all."""
    return stores / "settings.json"


def names_of(stores: Path) -> Names:
    """Return the names of the corpora of finished stores."""
    made: dict[str, Any] = read_checked(settings_file(stores))
    return Names(made["domain"], made["control"], made["general"])


def make_stores(options: argparse.Namespace, tested: Sequence[str]) -> None:
    """Make the stores of the corpora that the command line names, or check those that there are.

    Args:
        options: the command line.
        tested: texts that no document may share a run of words with.

    Raises:
        BadInput: a corpus cannot be used; there are neither corpora nor stores; or the stores are of other corpora, of
            another vocabulary, or leave out other texts.
    """
    tokenizer = Tokenizer.read(resolve(options.model).folder)
    settings: dict[str, Any] = {"vocabulary": tokenizer.fingerprint, "tests": content_key("\n".join(tested))}
    corpora = corpora_of(options)
    if corpora:
        domain, control, *rest = corpora
        settings |= {"domain": domain, "control": control, "general": bool(rest)}
        settings |= {"characters": options.characters, "text": options.text, "corpora": _contents(corpora)}
    finished = settings_file(options.stores)
    if finished.exists():
        made = read_checked(finished)
        if made["tests"] != settings["tests"]:
            what = "the stores here leave out the texts of another test than this one"
            raise BadInput(what, where=str(options.stores), mend="choose another --stores, and name the corpora")
        keep_to(options.stores, {**made, **settings}, "--stores")
        return
    if not corpora:
        what = "there are no stores of corpora here yet"
        raise BadInput(what, where=str(options.stores), mend="name the corpora with --domain and --control")
    make = partial(_make, options, corpora, tokenizer, EvaluationTexts.of(tested), settings)
    work([Cell("stores/all", finished, make)], Bars())


def corpora_of(options: argparse.Namespace) -> dict[str, Path]:
    """Return name -> file or folder: of the domain, the control and, if there is one, general text; or nothing.

    Raises:
        BadInput: one of --domain and --control is missing, or both have one name.
    """
    paths: dict[str, Path | None] = {f"--{role}": getattr(options, role) for role in ("domain", "control")}
    if not any((*paths.values(), options.general)):
        return {}
    corpora = dict[str, Path]()
    for option, path in paths.items():
        if path is None:
            mend = "give both, and --general as you like"
            raise BadInput("--domain and --control go together", where=option, mend=mend)
        name = path.resolve().name.split(".")[0]
        if name in {*corpora, PLAIN, GENERAL}:
            mend = "rename it: tables call corpora and models by the names of files"
            raise BadInput(f"another corpus or model is called {name!r}", where=option, mend=mend)
        corpora[name] = path
    return corpora | ({} if options.general is None else {GENERAL: options.general})


def _contents(corpora: dict[str, Path]) -> dict[str, str]:
    """Return name -> a hash of the contents of each corpus.

    Raises:
        BadInput: a corpus does not exist, or two of them are the same.
    """
    hashes = dict[str, str]()
    for name, path in corpora.items():
        key = content_key("\n".join(map(sha256, corpus_files(path))))
        if key in hashes.values():
            what, mend = "this corpus is the same as another one", "give corpora of different text"
            raise BadInput(what, where=str(path), mend=mend)
        hashes[name] = key
    return hashes


def _make(
    options: argparse.Namespace,
    corpora: dict[str, Path],
    tokenizer: Tokenizer,
    tests: EvaluationTexts,
    settings: dict[str, Any],
) -> None:
    build(corpora, CorpusSettings(text=options.text), tokenizer, options.stores, tests, options.characters)
    write_text(settings_file(options.stores), json.dumps(settings, indent=1, sort_keys=True) + "\n")
