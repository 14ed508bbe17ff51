"""The options of the commands that read a corpus, and the settings made of them."""

from __future__ import annotations

from typing import Any

from wordworth.cli.settings_options import chosen, settings_options
from wordworth.text.corpus.documents import CorpusSettings

corpus_options = settings_options(CorpusSettings)
"""A decorator that adds the options; `corpus_settings` turns them into settings."""


def corpus_settings(choices: dict[str, Any]) -> CorpusSettings:
    """Return the settings for reading the corpus, with a process for each core; removes them from `choices`."""
    from wordworth.subprocesses import available_cpus

    options = {name: choices.pop(name) for name in ("text", "layout")}
    return CorpusSettings(**chosen(options), processes=available_cpus())
