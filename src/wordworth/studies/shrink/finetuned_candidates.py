"""Smaller variants of a fine-tuned model: other number types, fewer heads, fewer layers, and distilled models."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import cast

from wordworth.errors import BadInput
from wordworth.inference.finetuned_network import Network
from wordworth.inference.finetuned_run import TunedRun, read_run
from wordworth.inference.head_importance import head_importance, pruning_order
from wordworth.inference.labelled_inputs import labelled_inputs
from wordworth.measures.weighted_sums import Predicted
from wordworth.models.cpu_inference.detect_kernels import Dtype
from wordworth.models.encoder_base import Encoder
from wordworth.models.pruning import Heads, require_heads, size_of, weight_bytes
from wordworth.models.transformer import Transformer
from wordworth.progress import Progress
from wordworth.sources import short_name
from wordworth.studies.compression_frontier import WHOLE, Candidate
from wordworth.studies.remove_heads_and_layers import fewer_heads, fewer_layers
from wordworth.tasks.task import Examples, Task
from wordworth.training.finetuning.int8_network import int8_network
from wordworth.training.finetuning.model import bf16_replica
from wordworth.training.finetuning.trainer import FineTunedModel
from wordworth.training.mixed_precision import supports_bf16


def read_students(folders: Sequence[str], run: TunedRun) -> list[tuple[str, TunedRun]]:
    """Read the fine-tuned models that are compared with the studied one; return (name, model) of each.

    Args:
        folders: folders of the models.
        run: the studied model, whose classes the other models must have.

    Raises:
        BadInput: a folder holds no fine-tuned transformer, or its model has other classes.
    """
    students: list[tuple[str, TunedRun]] = []
    for name, folder in distinct_names(folders).items():
        student = read_run(folder)
        same = student.predictor.classes == run.predictor.classes and student.predictor.pairs == run.predictor.pairs
        if student.predictor.task_type is not run.predictor.task_type or not same:
            what = "this model was fine-tuned on other classes than the whole one"
            raise BadInput(what, where=folder, mend="give --also a model of the same task")
        students.append((name, student))
    return students


def distinct_names(folders: Sequence[str]) -> dict[str, str]:
    """Return name -> folder, with a different name for each folder.

    The name is the last part of the folder's path, or the whole path if that name is taken.
    """
    names: dict[str, str] = {}
    for folder in folders:
        name = short_name(folder)
        names[folder if name in {WHOLE, *names} else name] = folder
    return names


def heads_by_importance(run: TunedRun, task: Task, progress: Progress) -> Heads:
    """Return the attention heads of a fine-tuned model in the order of pruning, the least important first.

    Args:
        run: the whole model.
        task: labelled rows, whose training part ranks the heads.
        progress: receives progress.

    Returns:
        The heads as (layer, head); empty if the model was pruned before.
    """
    if any(require_heads(run.encoder.model, run.encoder.name).config.pruned_heads):
        return ()
    network = _exact(run)
    examples = labelled_inputs(network, task, task.train)
    with progress.step("ranking heads", len(examples)) as step:
        return pruning_order(head_importance(network.tuned, examples, step).by_example)


def finetuned_candidates(
    run: TunedRun, order: Heads, students: Sequence[tuple[str, TunedRun]]
) -> Iterator[Candidate[Examples]]:
    """Yield a fine-tuned model in float32, then its smaller variants, of which one at a time is in memory.

    Args:
        run: the whole model.
        order: attention heads in the order of pruning, the least important first; if empty, no variants with removed
            heads are made.
        students: name and model of each other, smaller model for the same classes, such as a distilled one.
    """
    network = _exact(run)
    tuned, model = network.tuned, require_heads(run.encoder.model, run.encoder.name)

    def smaller(name: str, method: str, other: Transformer) -> Candidate[Examples]:
        return _candidate(name, method, replace(network, tuned=tuned.with_encoder(other)), other)

    yield _candidate(WHOLE, WHOLE, network, model)
    yield from _number_types(network, model)
    for name, other in fewer_layers(model):
        yield smaller(name, "layers dropped", other)
    for name, other in fewer_heads(model, order) if order else ():
        yield smaller(name, "heads removed", other)
    for name, student in students:
        yield _candidate(name, "another model", _exact(student), student.encoder.model)


def _exact(run: TunedRun) -> Network:
    """Return the network of a run, set to predict in float32."""
    return replace(run.network, tuned=run.network.tuned.exact)


def _number_types(network: Network, model: Transformer) -> Iterator[Candidate[Examples]]:
    """Yield the whole model in bfloat16 and in int8; a number type is left out if this machine cannot compute in it."""
    tuned = network.tuned
    made: list[tuple[Dtype, Callable[[], FineTunedModel | None]]] = [
        ("bfloat16", lambda: _in_bfloat16(tuned)),
        ("int8", lambda: _in_int8(network, model)),
    ]
    for dtype, make in made:
        other = make()
        if other is not None:
            yield _candidate(dtype, dtype, replace(network, tuned=other), model, dtype)


def _in_bfloat16(tuned: FineTunedModel) -> FineTunedModel | None:
    if not supports_bf16(tuned.network.device):
        return None
    return replace(tuned, predictor=bf16_replica(tuned.network).module)


def _in_int8(network: Network, model: Transformer) -> FineTunedModel | None:
    int8 = int8_network(network.tuned.network, model, network.reader.tokenizer)
    return None if int8 is None else replace(network.tuned, predictor=int8)


def _candidate(
    name: str, method: str, network: Network, model: Encoder, dtype: Dtype = "float32"
) -> Candidate[Examples]:
    tuned = network.tuned

    def predict(examples: Examples) -> Predicted:
        return cast("Predicted", tuned.predict(tuned.head.encode(network.reader, examples)))

    return Candidate(name, predict, size_of(model), weight_bytes(model, dtype), method)
