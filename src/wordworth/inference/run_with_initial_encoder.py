"""`RunWithStart`: a fine-tuned run together with the encoder that its fine-tuning began from, its start.

A run's metadata hold the name and the fingerprint (hash of all weights) of the start. For a run of an earlier version
the name is in the record beside it, and there is no fingerprint.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wordworth.errors import BadInput
from wordworth.files import as_path
from wordworth.inference.finetuned_network import Network
from wordworth.inference.finetuned_run import TunedRun, read_run
from wordworth.models.encoder_base import Encoder
from wordworth.models.encoder_fingerprint import fingerprint
from wordworth.models.pruning import require_heads
from wordworth.models.text_encoder import TextEncoder
from wordworth.records import RECORD, read
from wordworth.training.finetuning.model import over_encoder
from wordworth.training.finetuning.run_folder import output_file
from wordworth.training.finetuning.run_inputs import from_scratch, load_encoder

_START = "give the model that the run began from with --start"


@dataclass(frozen=True, slots=True)
class RunWithStart:
    """A fine-tuned run together with the encoder that it began from.

    Attributes:
        run: the fine-tuned run.
        start: the encoder before fine-tuning.
        name: name of the encoder before fine-tuning, as the user wrote it.
        verified: True if the fingerprint of `start` equals the fingerprint in the run's metadata, False if the
            metadata have no fingerprint.
    """

    run: TunedRun
    start: TextEncoder
    name: str
    verified: bool

    @property
    def network(self) -> Network:
        """The network after fine-tuning: the encoder with the task's layers above it."""
        return self.run.network


def read_with_start(run: Path | str, start: str | None) -> RunWithStart:
    """Load a fine-tuned run, and the encoder that its fine-tuning began from.

    Args:
        run: the output folder of a fine-tuning.
        start: name of the encoder that the run began from; None for the name in the run's metadata or record.

    Raises:
        BadInput: there is no fine-tuned transformer in `run`, some of its heads were pruned, the encoder is not on this
            machine, or it is not the one that the run began from.
    """
    return with_start(read_run(run), run, start)


def with_start(tuned: TunedRun, run: Path | str, start: str | None) -> RunWithStart:
    """Load the encoder that the fine-tuning of a run began from, and return it with the run.

    Args:
        tuned: the run.
        run: folder of the run, for messages; its record has the name of the encoder if the run's metadata lack it.
        start: name of the encoder that the run began from; None for the name in the metadata or the record.

    Raises:
        BadInput: some heads of the run were pruned, the encoder is not on this machine, or it is not the one that the
            run began from.
    """
    if any(require_heads(tuned.encoder.model, str(run)).config.pruned_heads):
        what = "some heads of this model were pruned, so that its weights cannot be compared with those of its start"
        raise BadInput(what, where=str(run), mend="give the run that it was made from")
    origin = tuned.began_from
    name = start or origin.get("model") or _named_in_record(as_path(run, "run"))
    if not isinstance(name, str):
        raise BadInput("this run does not say which model it began from", where=str(run), mend=_START)
    try:
        encoder = load_encoder(name)
    except BadInput as error:
        what = f"the model that the run began from is not here: {error.what}"
        raise BadInput(what, where=name, mend=_START) from error
    seed = origin.get("random_seed")
    if isinstance(seed, int):
        encoder = from_scratch(encoder, seed)
    require_shape(tuned, encoder.model, name)
    known = origin.get("fingerprint")
    if known is not None and known != fingerprint(encoder):
        raise BadInput("this is not the model that the run began from: its weights differ", where=name, mend=_START)
    encoder.model.to(tuned.network.tuned.network.device)
    return RunWithStart(tuned, encoder, name, verified=known is not None)


def require_shape(run: TunedRun, model: Encoder, where: str) -> None:
    """Check that an encoder has the architecture and size of a fine-tuned run's encoder.

    Args:
        run: the run.
        model: the encoder.
        where: name of the encoder, for the message.

    Raises:
        BadInput: the encoder has another architecture or size.
    """
    what, mend = "this model has another shape than the run's", "give one that began from the same model"
    network = run.network.tuned.network
    if model.width != run.encoder.model.width or type(model) is not type(run.encoder.model):
        raise BadInput(what, where=where, mend=mend)
    try:
        made = over_encoder(network, model).state_dict()
    except (RuntimeError, IndexError) as error:  # torch's, for weights that do not fit
        raise BadInput(what, where=where, mend=mend) from error
    own = network.state_dict()
    heads = getattr(model.config, "num_heads", 0), getattr(run.encoder.model.config, "num_heads", 0)
    if {name: value.shape for name, value in made.items()} != {name: value.shape for name, value in own.items()}:
        raise BadInput(what, where=where, mend=mend)
    if heads[0] != heads[1]:
        raise BadInput(what, where=where, mend=mend)


def _named_in_record(run: Path) -> Any:  # noqa: ANN401 - whatever the record holds
    """Return the model that the record beside a run names; None without one."""
    file = output_file(run, RECORD)
    return None if file is None else read(file).settings.get("model")
