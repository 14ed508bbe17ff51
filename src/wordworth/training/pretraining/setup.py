"""Assemble the parts of a pretraining run (`TrainingSetup`) from its settings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch

from wordworth.errors import BadInput
from wordworth.models.checkpoint import read_checkpoint
from wordworth.models.devices import device_of
from wordworth.models.neighbour_attention_init import init_neighbour_attention
from wordworth.text.corpus.token_store import TokenStore
from wordworth.training.loop import Loop
from wordworth.training.lr_schedules import CURVES, Schedule
from wordworth.training.mixed_precision import Bf16Replica, computes_in_bf16
from wordworth.training.objectives.mlm import MaskedLanguageModel, Rates
from wordworth.training.objectives.objective import Objective
from wordworth.training.optimizers import AdamW, BertAdam
from wordworth.training.pretraining import build_components
from wordworth.training.pretraining.batches import Phase, StepData, Steps
from wordworth.training.pretraining.config import PretrainingConfig
from wordworth.training.pretraining.evaluation import HeldOut
from wordworth.training.pretraining.export import take_weights
from wordworth.training.pretraining.model import PretrainingLoss, PretrainingModel
from wordworth.training.pretraining.step_plan import Plan
from wordworth.training.process_groups import ALONE, FullySharded, Processes

_AT_ONCE, _AT_ONCE_ON_GPU = 8192, 32_768
_LOOK_BATCH = 64
_LOOK_TOKENS = 65_536


@dataclass(frozen=True, slots=True)
class TrainingSetup:
    """Everything that a pretraining run needs: corpora, network, loop, plan of its steps, and data.

    Attributes:
        stores: the corpora.
        network: the trained model with its heads, in float32.
        loop: the training loop; its learning rates follow `plan`.
        plan: the fraction of training passed before each step; a placeholder until the run has been planned.
        steps: the data of each step.
        objective: the loop's objective, which holds the metrics of the last step.
        held_out: the held-out text, if any.
        fresh: names of the newly initialised weights, which the initial model lacked; empty without an initial model.
        dtype: dtype of the computation.
    """

    stores: Sequence[TokenStore]
    network: PretrainingModel
    loop: Loop[StepData]
    plan: Plan
    steps: Steps
    objective: PretrainingLoss
    held_out: HeldOut | None
    fresh: Sequence[str]
    dtype: torch.dtype

    @property
    def tokens_a_step(self) -> list[tuple[float, int]]:
        """One pair for each phase: (fraction of training at which it begins, number of tokens in its first step)."""
        return [(phase.begins, len(phase.stream.batch(0).ids)) for phase in self.steps.phases]


def assemble(
    settings: PretrainingConfig,
    stores: Sequence[TokenStore],
    held_out: TokenStore | None,
    processes: Processes = ALONE,
    objectives: Sequence[Objective] = (),
) -> TrainingSetup:
    """Assemble the parts of a pretraining run, with new weights or with the weights of `settings.initial_model`.

    The plan of the run says which fraction of training has passed before each step. With a time budget, the plan that
    is returned is a placeholder of a single step, which `time_budget.plan_run` replaces.

    Args:
        settings: the settings of the run.
        stores: the corpora, opened.
        held_out: the held-out text, if any.
        processes: the processes that share the run.
        objectives: the objectives of the run; if empty, they are built from the settings.

    Raises:
        BadInput: the size, the recipe or the initial model is invalid, or they do not fit each other.
    """
    objectives = objectives or build_components.build_objectives(settings, stores[0])
    network, fresh = _network(settings, stores[0], objectives)
    network = network.to(device_of(settings.device)).train()
    is_sharded = isinstance(processes, FullySharded)
    if is_sharded:
        from wordworth.training.fsdp_sharding import shard

        shard(network, network.layers, bf16=uses_bf16(settings))
    replica = Bf16Replica(network) if uses_bf16(settings) and not is_sharded else None
    phases = build_components.phases(settings, stores)
    plan = Plan.of(_steps(settings, phases))
    steps = Steps(phases, objectives, plan, settings.seed)
    computing = network if replica is None else replica.module
    if compiled(settings):
        computing.compile_layers()
    objective = PretrainingLoss(computing, settings.seed, micro_batch_tokens(settings), processes)
    optimiser = _optimiser(settings).build({network: settings.recipe.peak(network.encoder.width)})
    schedule = scheduled(settings, plan)
    loop = Loop(
        network,
        optimiser,
        schedule,
        steps,
        objective,
        max_grad_norm=settings.recipe.max_grad_norm or math.inf,
        replica=replica,
        processes=processes,
    )
    evaluation_data = None if held_out is None else held_out_text(settings, held_out, stores, objectives)
    dtype = torch.bfloat16 if uses_bf16(settings) else torch.float32
    return TrainingSetup(stores, network, loop, plan, steps, objective, evaluation_data, fresh, dtype)


def gathered_model(settings: PretrainingConfig, setup: TrainingSetup) -> PretrainingModel | None:
    """Return the whole network in process 0; None in other processes.

    If the network is sharded over the processes, it is gathered from all of them. All processes must call this function
    together.
    """
    processes = setup.loop.processes
    if not isinstance(processes, FullySharded):
        return setup.network if processes.rank == 0 else None
    from wordworth.training.fsdp_sharding import gather_full

    state = gather_full(setup.network.state_dict(), keep=processes.rank == 0)
    if processes.rank > 0:
        return None
    network, _ = _network(settings, setup.stores[0], setup.steps.objectives)
    network.load_state_dict(state)
    return network


def scheduled(settings: PretrainingConfig, plan: Plan) -> Schedule:
    """Return the learning-rate schedule of a run whose steps are planned.

    BERT's own schedule is evaluated at the fraction of training before a step, so its first update has rate 0. Other
    schedules are evaluated at the middle of a step, so no update has rate 0.

    Even in a short run, schedules other than BERT's rise over at least `2 / (1 - beta2)` updates, until Adam's second
    moments are reliable (Ma and Yarats 2021, arXiv 1910.04209, section 5). After a warm-up of only 15 updates, a
    post-norm model of four layers never learned to use its input.
    """
    recipe = settings.recipe
    curve = CURVES[recipe.lr_schedule](recipe.warmup)
    if recipe.lr_schedule == "original":
        return lambda step: curve(plan.fraction(step))
    return lambda step: min(curve(plan.fraction(step + 0.5)), (step + 1) * (1 - recipe.beta2) / 2)


def uses_bf16(settings: PretrainingConfig) -> bool:
    """Return whether the run computes in bfloat16."""
    return computes_in_bf16(settings.dtype, device_of(settings.device))


def compiled(settings: PretrainingConfig) -> bool:
    """Return whether torch compiles the layers; by default on a GPU, where it fuses operations that move memory."""
    return device_of(settings.device).type == "cuda" if settings.compiled is None else settings.compiled


def micro_batch_tokens(settings: PretrainingConfig) -> int:
    """Return the number of tokens of a micro-batch, as the settings give it, or else a default for the device.

    The default fits a CPU's cache, or keeps a GPU busy within its memory (15 GB for BERT-base).
    """
    usual = _AT_ONCE_ON_GPU if device_of(settings.device).type == "cuda" else _AT_ONCE
    return usual if settings.micro_batch_tokens is None else settings.micro_batch_tokens


def _network(
    settings: PretrainingConfig, store: TokenStore, objectives: Sequence[Objective]
) -> tuple[PretrainingModel, Sequence[str]]:
    if settings.initial_model is None:
        network = PretrainingModel(build_components.encoder(settings, store.vocabulary), objectives)
        network.draw(settings.seed)
        if settings.recipe.init_neighbour_heads and settings.architecture == "bert":
            init_neighbour_attention(network.encoder)
        return network, ()
    checkpoint = read_checkpoint(settings.initial_model)
    architecture = build_components.architecture_of(checkpoint.model.config, settings.initial_model)
    if architecture != settings.architecture:
        message = f"this model is a {architecture}, not a {settings.architecture}"
        raise BadInput(message, where=str(settings.initial_model), mend=f"give the architecture {architecture}")
    store.require_tokenizer(settings.initial_model)
    build_components.require_reach(settings, checkpoint)
    network = PretrainingModel(build_components.continued(checkpoint, settings.recipe), objectives)
    network.draw(settings.seed)
    return network, take_weights(network, checkpoint, settings.initial_model)


def _steps(settings: PretrainingConfig, phases: Sequence[Phase]) -> int:
    """Return the number of updates of a run; 1 for a run with a time budget.

    A number of epochs is converted by the steps that each phase needs for a pass over the corpus.
    """
    if settings.epochs is None:
        return settings.steps or 1
    ends = [*(phase.begins for phase in phases[1:]), 1.0]
    shares = [end - phase.begins for phase, end in zip(phases, ends, strict=True)]
    passes_a_step = sum(share / phase.stream.steps_per_pass for share, phase in zip(shares, phases, strict=True))
    return max(1, round(settings.epochs / passes_a_step))


def _optimiser(settings: PretrainingConfig) -> AdamW | BertAdam:
    recipe = settings.recipe
    chosen: Any = AdamW if recipe.bias_correction else BertAdam
    made: AdamW | BertAdam = chosen(weight_decay=recipe.weight_decay, betas=(0.9, recipe.beta2))
    return made


def held_out_text(
    settings: PretrainingConfig, store: TokenStore, learned: Sequence[TokenStore], objectives: Sequence[Objective]
) -> HeldOut:
    """Return the held-out text for evaluations: about 65,000 tokens, or all if there are fewer.

    The masking rate is 15 %, whatever the recipe, so that runs of different recipes can be compared.

    Args:
        settings: the settings of the run.
        store: the token store of the held-out text.
        learned: the stores that are trained on.
        objectives: the objectives of the run.
    """
    length = settings.recipe.lengths[0]
    stream = build_components.stream(replace(settings, seed=0, sampling=1.0), [store], length, _LOOK_BATCH)
    usual = [replace(each, rates=Rates()) if isinstance(each, MaskedLanguageModel) else each for each in objectives]
    count = max(1, min(int(stream.steps_per_pass), _LOOK_TOKENS // (_LOOK_BATCH * length)))
    return HeldOut(Steps([Phase(0.0, stream)], usual, Plan.of(count), 0), count, learned, micro_batch_tokens(settings))
