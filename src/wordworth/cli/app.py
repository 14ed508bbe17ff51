"""The command line: every command by name; errors become one line and exit code 2."""

from __future__ import annotations

import errno
import os
import sys
from importlib.metadata import version
from pathlib import Path

import click

from wordworth.cli.lazy_group import LazyGroup
from wordworth.cli.main_process import say, speaks
from wordworth.errors import MissingExtra, WordworthError, likeliest

COMMANDS = {
    "worth": "Say whether your labelled text needs a contextual encoder.",
    "tokenizer": "Train a WordPiece tokenizer on a corpus.",
    "pretrain": "Pretrain a language model on your text.",
    "adapt": "Continue a language model on your text.",
    "finetune": "Teach an encoder your task, with several seeds, and keep the best model.",
    "predict": "Answer a file with a fine-tuned model.",
    "evaluate": "Score predictions for a named task by its official scorer.",
    "study": "Ask a model itself what its vectors are like.",
    "to-static": "Make a small static table out of a contextual encoder and your text.",
    "embed": "Turn a file of texts of any size into vectors.",
    "fill": "Fill the gaps of a text with a masked language model.",
    "doctor": "Prove that a checkpoint is what it claims to be.",
    "models": "List what names resolve to what, from where, under which licence; fetch from the hub.",
    "page": "Draw the page of a record again.",
}
INTERRUPTED = 130
_REFUSED = {
    errno.ENOSPC: "free some space, or send the output elsewhere",
    errno.EDQUOT: "free some space, or send the output elsewhere",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.EACCES: "mend its permissions",
    errno.EROFS: "choose another place",
    errno.ENOTDIR: "a part of this path is a file",
    errno.ELOOP: "a link here leads to itself",
}
"""Errors of the system, and what a person can do about each."""
_TAKEN_UP = frozenset({"worth", "embed", "pretrain", "adapt", "finetune"})
"""Commands that go on where they were stopped."""
_TORCH_WITHOUT_MEMORY = ("can't allocate memory", "out of memory")
"""What torch says on a processor and on a GPU."""
_SMALLER = {
    "worth": "use --quick, fewer rows or a smaller model",
    "finetune": "give fewer --processes, a smaller --batch, fewer --tokens or a smaller model",
    "pretrain": "give a smaller --at-once or --shape",
    "adapt": "give shorter sequences, such as --with lengths=64,128, or a smaller model",
}


@click.group(
    cls=LazyGroup,
    offered=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(version("wordworth"), prog_name="wordworth")
def app() -> None:
    """What is a word's context worth, and what is the least model that gives it to me?

    \b
    Examples:
      wordworth worth reviews.csv --text text --label label --out run/
      wordworth embed texts.jsonl --model minilm --out vectors.parquet
      wordworth doctor minilm
    """


def main() -> None:
    """The entry point: 0 when all went well, 2 for bad input, 130 when interrupted; bugs keep their traceback."""
    try:
        code = app(standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        again = "the same command goes on from there" if _TAKEN_UP.intersection(sys.argv[1:2]) else "it will begin anew"
        if speaks():
            say(f"wordworth: stopped; nothing half-written is left, and {again}", err=True)
        os._exit(INTERRUPTED)  # a fit that runs in a thread would keep the person waiting; files are whole at any time
    except BrokenPipeError:
        sys.stderr.close()  # the reader went away (`| head`): nothing to say, and nobody to say it to
        sys.exit(0)
    except (click.ClickException, WordworthError, ModuleNotFoundError, MemoryError, RuntimeError, OSError) as error:
        said = _of_the_system(error) if isinstance(error, OSError) else _said(error)
        if said is None:
            raise
        say(f"wordworth: {' '.join(said.split())}", err=True)
        sys.exit(2)
    sys.exit(code if isinstance(code, int) else 0)


def _said(error: Exception) -> str | None:
    """The user's words for what went wrong; None for a bug."""
    match error:
        case click.UsageError():
            return _usage(error)
        case click.ClickException():
            return error.format_message()
        case WordworthError():
            return str(error)
        case ModuleNotFoundError():
            return str(MissingExtra("torch", "torch")) if error.name == "torch" else None
        case RuntimeError() if not any(words in str(error) for words in _TORCH_WITHOUT_MEMORY):
            return None
        case _:
            return f"the machine ran out of memory; {_smaller(sys.argv[1:2])}"


def _of_the_system(error: OSError) -> str | None:
    """What the machine refuses, in its own words, wherever that happens; None for what may be a bug."""
    if isinstance(error, FileNotFoundError) and not _has_folder():
        return "the folder that this command was started in is gone; change to another one"
    if error.errno not in _REFUSED:
        return None
    name = f"{error.filename}: " if isinstance(error.filename, str) else "cannot write: "
    return f"{name}{str(error.strerror).lower()}; {_REFUSED[error.errno]}"


def _has_folder() -> bool:
    try:
        Path.cwd()
    except FileNotFoundError:
        return False
    return True


def _smaller(command: list[str]) -> str:
    """What the command that was given can be told, to need less memory."""
    return next((_SMALLER[name] for name in command if name in _SMALLER), "use a smaller model or close other programs")


def _usage(error: click.UsageError) -> str:
    """What was wrong with the command line, and where its right form stands."""
    if isinstance(error, click.NoSuchOption) and error.ctx:
        said = _no_option(error.option_name, error.ctx)
    else:
        said = error.format_message().rstrip(".")
    path = error.ctx.command_path if error.ctx else "wordworth"
    return f"{said}; see {path} --help"


def _no_option(name: str, context: click.Context) -> str:
    """That there is no such option, and the one that may be meant where one is near."""
    close = likeliest(name.lstrip("-"), [option.lstrip("-") for each in context.command.params for option in each.opts])
    return f"No such option '{name}'" + (f"; did you mean '--{close}'?" if close else "")
