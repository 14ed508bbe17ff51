"""The command line: every command by name; errors become one line and exit code 2."""

from __future__ import annotations

import errno
import os
import sys
from importlib.metadata import version
from pathlib import Path

import click

from wordworth.cli.lazy_group import LazyGroup
from wordworth.cli.main_process_output import is_main_process, say
from wordworth.errors import MissingExtra, WordworthError, likeliest

COMMANDS = {
    "worth": "Say whether your labelled text needs a contextual encoder.",
    "tokenizer": "Train a WordPiece tokenizer on a corpus.",
    "phrases": "Find the phrases of a corpus by statistics, for masking them whole.",
    "pretrain": "Pretrain a language model on your text.",
    "adapt": "Continue a language model on your text.",
    "finetune": "Fine-tune an encoder on your task, with several seeds, and keep the best model.",
    "train-sentences": "Train the sentence vectors of an encoder on pairs or triples of texts.",
    "predict": "Predict every row of a file with the model of a run.",
    "probe": "Make a linear probe of a frozen encoder for your own labels.",
    "cascade": "Let a cheap model answer first, and a costly one where it is unsure.",
    "prune": "Write a smaller copy of a fine-tuned model: fewer attention heads, or fewer layers.",
    "distill": "Train a smaller model on the answers of a fine-tuned one.",
    "export": "Write a model as other programs read it: onnx, int8, sentence-transformers, model2vec.",
    "evaluate": "Score predictions for a named task by its official scorer.",
    "study": "Study what a model's vectors are like.",
    "to-static": "Make a small static table out of a contextual encoder and your text.",
    "embed": "Turn a file of texts of any size into vectors.",
    "search": "Make an index of texts, and find texts in it by their meaning.",
    "kg": "Train vectors of the entities of a knowledge graph, and fuse them into a language model.",
    "symbols": "Turn features of video, sound or anything else into codes that a model reads.",
    "serve": "Serve a model over HTTP, to clients of OpenAI's API and of text-embeddings-inference.",
    "fill": "Fill the gaps of a text with a masked language model.",
    "doctor": "Check that a checkpoint is what it claims to be.",
    "models": "List the known models and data, their origin and licence; download from the hub.",
    "report": "Draw the page of a record again.",
}
INTERRUPTED = 130
_SYSTEM_ERRORS = {
    errno.ENOSPC: "free some space, or send the output elsewhere",
    errno.EDQUOT: "free some space, or send the output elsewhere",
    errno.ENAMETOOLONG: "choose a shorter name",
    errno.EACCES: "change its permissions",
    errno.EROFS: "choose another folder",
    errno.ENOTDIR: "a part of this path is a file, not a folder",
    errno.ELOOP: "a symbolic link in this path points to itself",
}
"""Error number of the operating system -> how to mend the error."""
_NO_TEMPORARY_FOLDER = "No usable temporary directory"
"""How an error of Python's `tempfile` begins."""
_RESUMABLE = frozenset(
    {"embed", "pretrain", "adapt", "finetune", "distill", "train-sentences", "probe"}
    | {
        f"study {name}"
        for name in (
            "syntax",
            "finetuning",
            "layers",
            "languages",
            "relations",
            "commonsense",
            "codes",
            "crossmodal",
            "entities",
            "shrink",
        )
    }
    | {"search build", "search add", "search hnsw", "kg train", "symbols learn"}
)
"""Commands that, when called again, resume a run that was stopped."""
_KEPT = {
    "worth": "the same command reads what was kept: vectors, and the fits of fine-tuning and of taggers after the "
    "first on all labels; other fits are made again"
}
"""Command that resumes in part -> what it keeps when it is stopped."""
_TORCH_OUT_OF_MEMORY = ("can't allocate memory", "out of memory")
"""Parts of torch's messages when memory runs out, on a CPU and on a GPU."""
_LESS_MEMORY = {
    "worth": "use --quick, fewer rows or a smaller model",
    "finetune": "give fewer --processes, a smaller --batch-size or --max-length, or a smaller model",
    "train-sentences": "give a smaller --max-length or a smaller model",
    "distill": "give fewer --processes, a smaller --batch-size, or --method pkd-skip",
    "pretrain": "give a smaller --micro-batch-tokens or --model-size",
    "adapt": "give shorter sequences, such as --override lengths=64,128, or a smaller model",
}


@click.group(
    cls=LazyGroup,
    offered=COMMANDS,
    former={"page": "report"},
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
    """Run the command line: exit 0 on success, 2 for bad input, 130 when interrupted; bugs keep their traceback."""
    try:
        code = app(standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        if is_main_process():
            say(f"wordworth: stopped; nothing half-written is left, and {_next_time()}", err=True)
        os._exit(INTERRUPTED)  # do not wait for a fit in a thread; files are whole at any time
    except BrokenPipeError:
        sys.stderr.close()  # the reader of the output has closed it (`| head`)
        sys.exit(0)
    except (click.ClickException, WordworthError, ModuleNotFoundError, MemoryError, RuntimeError, OSError) as error:
        message = _system_message(error) if isinstance(error, OSError) else _message(error)
        if message is None:
            raise
        say(f"wordworth: {' '.join(message.split())}", err=True)
        sys.exit(2)
    sys.exit(code if isinstance(code, int) else 0)


def _next_time() -> str:
    """Return a phrase for an interrupted command: whether calling it again goes on from the finished work."""
    command = sys.argv[1:2]
    if _RESUMABLE.intersection((*command, " ".join(sys.argv[1:3]))):
        return "the same command goes on from there"
    return _KEPT.get("".join(command), "it starts over next time")


def _message(error: Exception) -> str | None:
    """Return the message of an error for the user; None if the error is a bug, which keeps its traceback."""
    match error:
        case click.UsageError():
            return _usage_message(error)
        case click.ClickException():
            return error.format_message()
        case WordworthError():
            return error.in_flags
        case ModuleNotFoundError():
            return str(MissingExtra("torch", "torch")) if error.name == "torch" else None
        case RuntimeError() if not any(words in str(error) for words in _TORCH_OUT_OF_MEMORY):
            return None
        case _:
            return f"the machine ran out of memory; {_memory_advice(sys.argv[1:2])}"


def _system_message(error: OSError) -> str | None:
    """Return the message for an error that the operating system raised anywhere; None for what may be a bug."""
    if isinstance(error, FileNotFoundError) and not _working_folder_exists():
        return "the current folder no longer exists; change to another one"
    if _NO_TEMPORARY_FOLDER in str(error.strerror):
        return "no temporary folder can be written; name one in the variable TMPDIR (docker run: --tmpfs /tmp)"
    if error.errno not in _SYSTEM_ERRORS:
        return None
    name = f"{error.filename}: " if isinstance(error.filename, str) else "cannot write: "
    return f"{name}{str(error.strerror).lower()}; {_SYSTEM_ERRORS[error.errno]}"


def _working_folder_exists() -> bool:
    try:
        Path.cwd()
    except FileNotFoundError:
        return False
    return True


def _memory_advice(command: list[str]) -> str:
    """Return a hint how a command can use less memory; `command` is a list with its name, or empty."""
    return next(
        (_LESS_MEMORY[name] for name in command if name in _LESS_MEMORY), "use a smaller model or close other programs"
    )


def _usage_message(error: click.UsageError) -> str:
    """Return what was wrong with the command line, and where to read the right form."""
    if isinstance(error, click.NoSuchOption) and error.ctx:
        message = _unknown_option(error.option_name, error.ctx)
    else:
        message = error.format_message().rstrip(".")
    path = error.ctx.command_path if error.ctx else "wordworth"
    return f"{message}; see {path} --help"


def _unknown_option(name: str, context: click.Context) -> str:
    """Return the message for an unknown option, with the nearest option or the argument of that name, if any."""
    wanted, parameters = name.lstrip("-"), context.command.params
    argument = next((each for each in parameters if isinstance(each, click.Argument) and each.name == wanted), None)
    if argument is not None:
        return f"No such option '{name}'; give {wanted.upper()} without a flag"
    options = [option[2:] for each in parameters for option in each.opts if option.startswith("--")]
    nearest = likeliest(wanted, options)
    return f"No such option '{name}'" + (f"; did you mean '--{nearest}'?" if nearest else "")
