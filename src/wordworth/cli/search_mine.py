"""`wordworth search mine`: find paraphrases and duplicates in an index."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process_output import say
from wordworth.cli.progress_bars import Bars
from wordworth.cli.settings_options import chosen, settings_options
from wordworth.retrieval.paraphrase_mining import MineSettings, mine_paraphrases
from wordworth.sentence_formatting import count_of, shortened

_SHOWN, _CHARACTERS = 10, 100


@click.command("mine")
@click.option("--index", type=click.Path(path_type=Path), required=True, help="The folder of the index.")
@click.option("--out", type=click.Path(path_type=Path), help="The .csv, .jsonl or .parquet to write the pairs to.")
@settings_options(MineSettings)
def command(index: Path, out: Path | None, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Find paraphrases and duplicates among the texts of an index: the pairs that are most alike.

    \b
    Examples:
      wordworth search mine --index index/ --out pairs.csv
      wordworth search mine --index index/ --threshold 0.95 --where "lang = 'en'"
    """
    pairs = mine_paraphrases(index, out, progress=Bars(), **chosen(choices))
    say(f"{index}: {count_of(len(pairs), 'pair')}" + (f", written to {out}" if out else ""))
    for row in pairs.head(_SHOWN).to_dict("records"):
        say(f"{row['score']:.3f}  {row['id_a']}: {shortened(row['text_a'], _CHARACTERS)}")
        say(f"       {row['id_b']}: {shortened(row['text_b'], _CHARACTERS)}")
