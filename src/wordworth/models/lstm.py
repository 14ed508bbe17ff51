"""Bidirectional LSTMs over packed sequences, with optional projection (Sak et al. 2014, arXiv 1402.1128).

torch's own `nn.LSTM` has no fast kernel for packed sequences or projections on a CPU, cannot clip, and over packed
sequences its backward pass takes time quadratic in the length. Here everything that does not depend on the previous
step is one product over all tokens, forward and backward; the recurrent part goes through time once for both
directions. `tests/models/lstm_reference.py` is the specification.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable
from torch.nn import functional

_EXACT = torch.float32


@dataclass(frozen=True, kw_only=True, slots=True)
class Clips:
    """Limits of the absolute values in an LSTM; both are 3 in ELMo (bilm-tf), and None is no limit.

    Attributes:
        cell: limit of the cell, applied at each step.
        projection: limit of the projected state, applied at each step.
    """

    cell: float | None = None
    projection: float | None = None


class Direction(nn.Module):
    """The weights of an LSTM that reads in one direction, with gates in the order input, forget, candidate, output.

    1 is added to the forget gate's bias, as in TensorFlow's cell, so that a newly initialised cell keeps its content.
    Without a projection a state is as wide as the cell.
    """

    def __init__(self, inputs: int, cell_size: int, projection_size: int | None) -> None:
        super().__init__()
        self.input = nn.Linear(inputs, 4 * cell_size)
        self.recurrent = nn.Linear(projection_size or cell_size, 4 * cell_size, bias=False)
        self.projection = nn.Linear(cell_size, projection_size, bias=False) if projection_size else None

    @property
    def forget_offset(self) -> Tensor:
        """Offset that is added to the bias, [4 * cell_size]: 1 for the forget gate, 0 for the other gates."""
        offset = torch.zeros_like(self.input.bias).view(4, -1)
        offset[1] = 1
        return offset.flatten()


@dataclass(frozen=True, slots=True)
class PackedOrder:
    """The order in which both directions of an LSTM read packed sequences step by step (the walk).

    Step t holds the t-th token of every sequence that has one, the longest sequence first; the second direction counts
    from the ends of the sequences.

    Attributes:
        walk: int64 [2, tokens], the index of the token that each direction reads at each position of the walk.
        back: int64 [2, tokens], the position in the walk at which each direction reads each token.
        before: int64 [tokens], for each position of the walk, the position of the same sequence's previous step; for a
            first step, an index past the end of the walk, where the sequence's initial state is stored.
        live: for each step, the number of sequences that have a token at that step.
        sequences: int64 [sequences], the indices of the sequences, from the longest to the shortest.
        computation_index: int64 [2, tokens], for each position of both walks its index in the computation, which goes
            step by step and in each step takes the first direction before the second.
        reading_index: int64 [2 * tokens], the inverse of `computation_index`: for each index in the computation, the
            position in both walks joined end to end.
    """

    walk: Tensor
    back: Tensor
    before: Tensor
    live: tuple[int, ...]
    sequences: Tensor
    computation_index: Tensor
    reading_index: Tensor

    @classmethod
    def by_time(cls, live: Tensor) -> PackedOrder:
        """Return the order for tokens packed by time: the first tokens of all sequences, then the second tokens, ...

        Args:
            live: int64 [steps], the number of sequences that have a token at each step; never increasing.
        """
        bounds = torch.cat([live.new_zeros(1), live.cumsum(0)])
        step = torch.arange(len(live), device=live.device).repeat_interleave(live)
        row = torch.arange(len(step), device=live.device) - bounds[step]
        sequences = torch.arange(int(live[0]) if len(live) else 0, device=live.device)
        lengths = (live[:, None] > sequences).sum(0)
        walk = torch.stack([bounds[step] + row, bounds[lengths[row] - 1 - step] + row])  # each is its own inverse
        first = 2 * bounds[step] + row
        by_direction = torch.stack([first, first + live[step]])
        return cls(
            walk,
            walk,
            bounds[step - 1] + row,
            tuple(live.tolist()),
            sequences,
            by_direction,
            by_direction.flatten().argsort(),
        )

    @classmethod
    def of(cls, starts: Tensor) -> PackedOrder:
        """Return the order for packed sequences that start at `starts` [sequences + 1]."""
        firsts, lengths = starts[:-1].long(), (starts[1:] - starts[:-1]).long()
        longest_first = torch.argsort(lengths, descending=True, stable=True)
        firsts, lengths = firsts[longest_first], lengths[longest_first]
        step = torch.arange(int(lengths.max()) if len(lengths) else 0, device=starts.device)[:, None]
        active = step < lengths
        order = cls.by_time(active.sum(1))
        walk = (firsts + step)[active][order.walk]
        return replace(order, walk=walk, back=walk.argsort(1), sequences=longest_first)

    def by_step(self, values: Tensor) -> list[Tensor]:
        """Split values by step.

        Args:
            values: [2 directions, tokens, ...], in the order in which the LSTM reads the tokens.

        Returns:
            For each step, [2, live, ...]: the values of the `live` sequences that have a token at that step.
        """
        blocks = torch.split(values.flatten(0, 1)[self.reading_index], [2 * count for count in self.live])
        return [block.view(2, count, *values.shape[2:]) for block, count in zip(blocks, self.live, strict=True)]

    def joined(self, blocks: Sequence[Tensor], reference: Tensor) -> Tensor:
        """Join the values of all steps to one tensor, [2 directions, tokens, ...], in the order of reading.

        The function is the inverse of `by_step`.

        Args:
            blocks: for each step, [2, live, ...], the values of both directions for the `live` sequences that have a
                token at that step.
            reference: [2, any, ...], a tensor from which the dtype, the device and the dimensions `...` are taken if
                there are no steps.
        """
        return torch.cat([block.flatten(0, 1) for block in (reference[:, :0], *blocks)])[self.computation_index]

    def ends(self, blocks: Sequence[Tensor], initial: Tensor) -> Tensor:
        """Return the value of each sequence's last step, [2 directions, sequences, ...], the longest sequence first.

        Args:
            blocks: for each step, [2, live, ...], the values of both directions for the `live` sequences that have a
                token at that step.
            initial: [2, sequences, ...], the values for sequences without tokens, the longest sequence first.
        """
        live = (*self.live, 0)
        last = [block[:, after:] for block, after in zip(blocks, live[1:], strict=True) if block.shape[1] > after]
        return torch.cat([*reversed(last), initial[:, live[0] :]], 1)


class SavedStates(NamedTuple):
    """The states of both directions of an LSTM layer for each sequence, without gradient.

    Attributes:
        states: [2 directions, sequences, projection_size].
        cells: float32 [2 directions, sequences, cell_size].
    """

    states: Tensor
    cells: Tensor


class BidirectionalLSTM(nn.Module):
    """Two LSTMs without shared weights: the first reads a sequence from the left, the second from the right."""

    def __init__(self, inputs: int, cell_size: int, projection_size: int | None, clips: Clips) -> None:
        super().__init__()
        self.clips = clips
        self.left_to_right = Direction(inputs, cell_size, projection_size)
        self.right_to_left = Direction(inputs, cell_size, projection_size)

    def forward(self, x: Tensor, order: PackedOrder) -> Tensor:
        """Run both directions from states of zeros; return their outputs, [2, tokens, state].

        Args:
            x: [2, tokens, inputs], the inputs of both directions, each in the order in which it reads the tokens.
            order: the order in which each direction reads the tokens, which is the order of the outputs too.
        """
        return self.carried(x, order, None)[0]

    def carried(self, x: Tensor, order: PackedOrder, saved: SavedStates | None) -> tuple[Tensor, SavedStates]:
        """Run both directions from the saved states of each sequence; return the outputs, and the final states.

        No gradient flows into saved states. The second direction reads from right to left, so that its final state is
        the state of a sequence's first token.

        Args:
            x: [2, tokens, inputs], the inputs of both directions, each in the order in which it reads the tokens.
            order: the order in which each direction reads the tokens.
            saved: the states to start from; None starts from zeros.

        Returns:
            The outputs, [2, tokens, state], in the order of `x`; and the final states of each sequence.
        """
        directions = (self.left_to_right, self.right_to_left)
        bias = torch.stack([direction.input.bias + direction.forget_offset for direction in directions])[:, None]
        gates = torch.baddbmm(
            bias, x, torch.stack([direction.input.weight for direction in directions]).transpose(1, 2)
        )
        recurrent = torch.stack([direction.recurrent.weight for direction in directions])
        projections = [direction.projection.weight for direction in directions if direction.projection is not None]
        projection = torch.stack(projections) if projections else None
        states, *ends = _Walk.apply(gates, recurrent, projection, order, self.clips, saved)  # type: ignore[no-untyped-call]  # torch leaves it unannotated
        original_order = order.sequences.argsort()
        return states, SavedStates(*(end[:, original_order] for end in ends))

    def wider(self, saved: SavedStates | None, sequences: int, reference: Tensor) -> SavedStates:
        """Return saved states of an LSTM, extended with zeros to at least a given number of sequences.

        Args:
            saved: the states; None for no states.
            sequences: least number of sequences in the result.
            reference: a tensor of any shape whose dtype and device the new states get.
        """
        gates, width = self.left_to_right.recurrent.weight.shape
        size = gates // 4
        saved = (
            SavedStates(reference.new_zeros(2, 0, width), reference.new_zeros(2, 0, size, dtype=_EXACT))
            if saved is None
            else saved
        )
        more = max(0, sequences - saved.states.shape[1])
        return SavedStates(*(functional.pad(values, (0, 0, 0, more)) for values in saved))


class _Walk(torch.autograd.Function):
    """The recurrence through time. Products are in the dtype of the weights, cells and gates in float32."""

    @staticmethod
    def forward(  # noqa: PLR0913, PLR0917 - as autograd calls it
        ctx: Any,  # noqa: ANN401 - torch's context
        inputs: Tensor,
        recurrent: Tensor,
        projection: Tensor | None,
        order: PackedOrder,
        clips: Clips,
        saved: SavedStates | None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        initial = _initial_states(inputs, order, recurrent.shape[2], saved)
        recurrent_t = recurrent.transpose(1, 2)
        projection_t = None if projection is None else projection.transpose(1, 2)
        (hidden, cell), gates, states, cells = initial, list[Tensor](), list[Tensor](), list[Tensor]()
        for step in order.by_step(inputs):
            count = step.shape[1]
            pre_activations = torch.baddbmm(step, hidden[:, :count], recurrent_t) if states or saved else step
            gate = _activated(pre_activations.view(2, count, 4, -1).to(_EXACT))
            input_gate, forget_gate, candidate, output_gate = gate.unbind(2)
            cell = torch.addcmul(input_gate * candidate, forget_gate, cell[:, :count])
            cell = cell if clips.cell is None else cell.clamp_(-clips.cell, clips.cell)
            hidden = (output_gate * cell.tanh()).to(inputs.dtype)
            hidden = hidden if projection_t is None else torch.bmm(hidden, projection_t)
            hidden = hidden if clips.projection is None else hidden.clamp_(-clips.projection, clips.projection)
            gates.append(gate)
            states.append(hidden)
            cells.append(cell)
        joined_states = order.joined(states, initial.states)
        ctx.save_for_backward(joined_states, *initial, recurrent, projection)
        ctx.order, ctx.clips, ctx.steps = order, clips, (gates, states, cells)
        ends = order.ends(states, initial.states), order.ends(cells, initial.cells)
        ctx.mark_non_differentiable(*ends)
        return joined_states, *ends

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor, *_: Tensor) -> tuple[Tensor | None, ...]:  # noqa: ANN401 - torch's context
        all_states, initial_state, initial_cell, recurrent, projection = ctx.saved_tensors
        order, clips, (gates, states, cells) = ctx.order, ctx.clips, ctx.steps
        gate_grads, state_grads, outputs = list[Tensor](), list[Tensor](), list[Tensor]()
        next_state_grad, next_cell_grad = grad[:, :0], initial_cell[:, :0]
        for step, state in reversed(list(enumerate(order.by_step(grad)))):
            gate, cell_now, count = gates[step], cells[step], next_cell_grad.shape[1]
            output_gate, squashed = gate[:, :, 3], cell_now.tanh()
            state[:, :count] += next_state_grad
            _mask_clipped(state, states[step], clips.projection)
            inner = (state if projection is None else torch.bmm(state, projection)).to(_EXACT)
            cell = torch.ops.aten.tanh_backward(inner * output_gate, squashed)
            cell[:, :count] += next_cell_grad
            _mask_clipped(cell, cell_now, clips.cell)
            before = (cells[step - 1] if step else initial_cell)[:, : cell.shape[1]]
            gate_grads.append(_to_gates(cell, inner * squashed, before, gate).to(grad.dtype))
            next_cell_grad = cell * gate[:, :, 1]
            next_state_grad = torch.bmm(gate_grads[-1].flatten(2), recurrent)
            state_grads.append(state)
            outputs.append((output_gate * squashed).to(grad.dtype))
        size = initial_cell.shape[2]
        input_grad = order.joined(gate_grads[::-1], grad.new_empty(2, 0, 4, size)).flatten(2)
        recurrent_grad = torch.bmm(
            input_grad.transpose(1, 2), torch.cat([all_states, initial_state], 1)[:, order.before]
        )
        if projection is None:
            return input_grad, recurrent_grad, None, None, None, None
        all_state_grads = order.joined(state_grads[::-1], grad)
        all_outputs = order.joined(outputs[::-1], grad.new_empty(2, 0, size))
        return input_grad, recurrent_grad, torch.bmm(all_state_grads.transpose(1, 2), all_outputs), None, None, None


def _initial_states(reference: Tensor, order: PackedOrder, width: int, saved: SavedStates | None) -> SavedStates:
    """Return the initial states (of width `width`) and cells, the longest sequence first: the saved ones, or zeros."""
    if saved is not None:
        return SavedStates(saved.states[:, order.sequences], saved.cells[:, order.sequences])
    count = len(order.sequences)
    return SavedStates(
        reference.new_zeros(2, count, width), reference.new_zeros(2, count, reference.shape[2] // 4, dtype=_EXACT)
    )


def _activated(gates: Tensor) -> Tensor:
    """Apply the activations to gates [2, n, 4, size], in place."""
    gates[:, :, :2].sigmoid_()
    gates[:, :, 2].tanh_()
    gates[:, :, 3].sigmoid_()
    return gates


def _to_gates(cell: Tensor, output_grad: Tensor, previous_cell: Tensor, gate: Tensor) -> Tensor:
    """Return the gradient at the gates' pre-activations, [2, n, 4, size].

    Args:
        cell: [2, n, size], the gradient at the new cell.
        output_grad: [2, n, size], the gradient at the output gate.
        previous_cell: [2, n, size], the cell of the previous step.
        gate: [2, n, 4, size], the values of the gates.
    """
    (input_gate, forget_gate, candidate, output_gate), gate_grads = gate.unbind(2), torch.empty_like(gate)
    for number, (grad, value) in enumerate([(cell * candidate, input_gate), (cell * previous_cell, forget_gate)]):
        torch.ops.aten.sigmoid_backward.grad_input(grad, value, grad_input=gate_grads[:, :, number])
    torch.ops.aten.tanh_backward.grad_input(cell * input_gate, candidate, grad_input=gate_grads[:, :, 2])
    torch.ops.aten.sigmoid_backward.grad_input(output_grad, output_gate, grad_input=gate_grads[:, :, 3])
    return gate_grads


def _mask_clipped(grad: Tensor, values: Tensor, bound: float | None) -> None:
    """Set the gradient to zero, in place, where a value was clipped to `bound`."""
    if bound is not None:
        grad *= values.abs() < bound
