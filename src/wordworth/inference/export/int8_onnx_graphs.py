"""`write_int8_graph`: an ONNX graph with int8 weights, a quarter as large, which multiplies matrices in int8.

A weight is stored as a whole number from -64 to 64 times a float32 step. Each output of a linear map has its own step,
and so has each row of an embedding table. With 64 in place of 127, the sum of two products fits 16 bits, in which
processors without VNNI add them. Inputs of linear maps are quantised while the graph runs, to 255 steps between their
least and largest value.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordworth.inference.export.onnx_graphs import write_graph
from wordworth.inference.export.read_model import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

_LARGEST, _MATRIX = 64, 2
_LEAST = 1 << 14
"""Linear maps and tables with fewer weights (output layers, segment embeddings) stay float32."""


def write_int8_graph(source: Source, out: Path) -> None:
    """Write a folder with a model's ONNX graph whose weights take one byte each, its tokenizer and its config.

    Args:
        source: the model.
        out: the folder, written whole or not at all.

    Raises:
        BadInput: this kind of model has no ONNX graph, or the folder cannot be written.
        MissingExtra: onnx is not installed.
    """
    write_graph(source, out, _quantise_file)


def _quantise_file(path: Path) -> None:
    import onnx

    graph = onnx.load(str(path))
    quantise(graph.graph)
    onnx.checker.check_model(graph)
    onnx.save(graph, str(path))


def quantise(graph: Any) -> None:  # noqa: ANN401 - onnx has no types
    """Replace the linear maps and embedding look-ups of a graph by their int8 forms, in place.

    Args:
        graph: an `onnx.GraphProto`.
    """
    from onnx import numpy_helper

    arrays = ((each.name, numpy_helper.to_array(each)) for each in graph.initializer)
    weights = {name: values for name, values in arrays if values.ndim == _MATRIX and values.size >= _LEAST}
    nodes: list[Any] = []
    for node in graph.node:
        if node.op_type == "Gemm" and node.input[1] in weights:
            nodes += _product(graph, node, weights[node.input[1]])
        elif node.op_type == "Gather" and node.input[0] in weights:
            nodes += _look_up(graph, node, weights[node.input[0]])
        else:
            nodes.append(node)
    read = {name for node in nodes for name in node.input}
    initializers = [each for each in graph.initializer if each.name in read]
    for field, values in ((graph.node, nodes), (graph.initializer, initializers)):
        del field[:]
        field.extend(values)


def rounded(weight: NDArray[np.float32], axis: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Quantise a matrix to whole numbers from -64 to 64, with one step for all weights along an axis.

    Args:
        weight: the matrix, float32 [rows, columns].
        axis: the axis along which weights share a step: 1 for one step a row.

    Returns:
        The whole numbers, int8 [rows, columns], and the steps, float32 [rows, 1] or [1, columns]. The whole numbers
        times the steps are `weight`, rounded.
    """
    steps = np.abs(weight).max(axis, keepdims=True) / np.float32(_LARGEST)
    steps = np.where(steps > 0, steps, np.float32(1)).astype(np.float32)
    return np.rint(weight / steps).astype(np.int8), steps


def _product(graph: Any, node: Any, weight: NDArray[np.float32]) -> Iterator[Any]:  # noqa: ANN401 - onnx has no types
    """Yield the nodes that compute a linear map in int8, of weight [out, in] and bias [out], as torch has them."""
    from onnx import helper

    whole, steps = rounded(weight, 1)
    name, bias = node.output[0], list(node.input[2:])
    _add(graph, {f"{name}.weight": np.ascontiguousarray(whole.T), f"{name}.steps": steps[:, 0]})
    values, step, zero = (f"{name}.{part}" for part in ("values", "step", "zero"))
    product = f"{name}.product" if bias else name
    yield helper.make_node("DynamicQuantizeLinear", [node.input[0]], [values, step, zero])
    yield helper.make_node("MatMulInteger", [values, f"{name}.weight", zero], [f"{name}.sums"])
    yield helper.make_node("Cast", [f"{name}.sums"], [f"{name}.floats"], to=1)
    yield helper.make_node("Mul", [step, f"{name}.steps"], [f"{name}.scale"])
    yield helper.make_node("Mul", [f"{name}.floats", f"{name}.scale"], [product])
    if bias:
        yield helper.make_node("Add", [product, *bias], [name])


def _look_up(graph: Any, node: Any, table: NDArray[np.float32]) -> Iterator[Any]:  # noqa: ANN401 - onnx has no types
    """Yield the nodes that look up rows of an int8 table."""
    from onnx import helper

    whole, steps = rounded(table, 1)
    name, ids = node.output[0], node.input[1]
    _add(graph, {f"{name}.table": whole, f"{name}.steps": steps})
    yield helper.make_node("Gather", [f"{name}.table", ids], [f"{name}.rows"], axis=0)
    yield helper.make_node("Gather", [f"{name}.steps", ids], [f"{name}.scale"], axis=0)
    yield helper.make_node("Cast", [f"{name}.rows"], [f"{name}.floats"], to=1)
    yield helper.make_node("Mul", [f"{name}.floats", f"{name}.scale"], [name])


def _add(graph: Any, tensors: dict[str, NDArray[Any]]) -> None:  # noqa: ANN401 - onnx has no types
    from onnx import numpy_helper

    graph.initializer.extend(numpy_helper.from_array(values, name) for name, values in tensors.items())
