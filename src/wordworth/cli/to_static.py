"""`wordworth to-static`: a small table out of a contextual encoder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from wordworth.cli.main_process import say
from wordworth.cli.progress_bars import Bars


@click.command("to-static")
@click.argument("model")
@click.option("--corpus", type=click.Path(path_type=Path), multiple=True, help="Folder or file of text. Repeatable.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="A folder; or word2vec text: a .txt, .vec.")
@click.option("--method", metavar="[pc1|mean|pieces]", help="Of a word's occurrences. [default: pc1]")
@click.option("--layer", type=int, help="0 is the input layer, -1 the last. [default: 1; the last for pieces]")
@click.option("--words", type=int, help="The most frequent words, so many. [default: 20,000]")
@click.option("--least", type=int, help="A word occurs at least so often. [default: 5]")
@click.option("--occurrences", type=int, help="Read at most so many of a word. [default: all]")
@click.option("--width", type=int, help="Principal components kept; 0: none of this. [default: 256, or all there are]")
@click.option("--remove-top", type=int, help="Take so many common directions away. [default: 0]")
@click.option("--whiten", is_flag=True, default=None, help="Bring all components to one variance.")
@click.option("--sif", type=float, help="Weigh frequent words down by this a; 0 for not. [default: 0.001]")
@click.option("--no-back-off", "back_off", flag_value=False, default=None, help="Leave the encoder's pieces out.")
@click.option("--text", default="text", show_default=True, help="Field of the texts in JSON lines and Parquet.")
@click.option(
    "--layout",
    type=click.Choice(["auto", "document", "lines", "sentences"]),
    default="auto",
    show_default=True,
    help="What a .txt is: one document, a document a line, a sentence a line.",
)
@click.option("--dtype", type=click.Choice(["float32", "bfloat16", "int8", "auto"]), default="float32")
def command(model: str, out: Path, text: str, layout: Any, **choices: Any) -> None:  # noqa: ANN401 - click's values
    """Make a static table, one vector a word, out of a contextual encoder and your text.

    MODEL is an encoder: a name, a folder or a hub name. The folder in --out is one that model2vec loads too; give it to
    `worth` as --vectors, to `study words` as --model.

    \b
    Examples:
      wordworth to-static minilm --corpus texts/ --layer 1 --method pc1 --out static/
      wordworth to-static minilm --corpus notes.jsonl --method mean --remove-top 2 --out static/
      wordworth to-static minilm --method pieces --out static/
    """
    from wordworth.errors import BadInput
    from wordworth.files import require_distinct, require_writable
    from wordworth.models.static.distillation import require_no_other_model, to_static
    from wordworth.text.corpus.documents import CorpusSettings

    given = {name: value for name, value in choices.items() if value not in (None, ())}
    corpus, settings = given.pop("corpus", ()), CorpusSettings(text=text, layout=layout)
    if not corpus and given.get("method") != "pieces":
        raise BadInput("no corpus was given", mend="name one with --corpus, or use --method pieces")
    require_distinct(out, model, *corpus)
    require_no_other_model(out)
    require_writable(out.parent if out.suffix in {".txt", ".vec"} else out)
    made = to_static(model, corpus, read_as=settings, progress=Bars(), **given)
    made.save(out)
    told = made.told
    read = f" from {told.occurrences:,} occurrences in {told.sentences:,} sentences" if told.words else ""
    say(f"{out}: {told.words:,} words{read}, {told.pieces:,} pieces, {made.vectors.shape[1]} wide")
    for doubt in made.doubts:
        say(f"- {doubt}")
