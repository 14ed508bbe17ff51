"""A graph with weights of one byte: `model.onnx` a quarter as large, which computes its products in int8.

A weight is a whole number from -64 to 64 times a float32 step, one for each output of a map and each row of a table of
vectors. With 64 in place of 127, the sum of two products fits 16 bits, as processors without VNNI add them. Inputs of
products are quantised when they are there, to 255 steps between their least and largest value.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordworth.files import atomic_write
from wordworth.inference.export.graphs import write_graph
from wordworth.inference.export.source import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

_LARGEST, _MATRIX = 64, 2
_LEAST = 1 << 14
"""Maps and tables of fewer weights (output layers, tables of segments) stay float32."""


def write_int8_graph(source: Source, out: Path) -> None:
    """Write a model's folder with its graph, whose weights take one byte each.

    Args:
        source: the model.
        out: the folder.

    Raises:
        BadInput: the model has no graph, or the folder cannot be written.
        MissingExtra: onnx is not installed.
    """
    path = write_graph(source, out)
    import onnx

    graph = onnx.load(str(path))
    quantise(graph.graph)
    onnx.checker.check_model(graph)
    with atomic_write(path) as part:
        onnx.save(graph, str(part))


def quantise(graph: Any) -> None:  # noqa: ANN401 - onnx has no types
    """Turn products with fixed weights and look-ups in fixed tables into int8, in place.

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
    """Return weights as int8 and the step along an axis, so that their product is nearest to the weights.

    Args:
        weight: float32, two dimensions.
        axis: the one along which all weights share a step.
    """
    steps = np.abs(weight).max(axis, keepdims=True) / np.float32(_LARGEST)
    steps = np.where(steps > 0, steps, np.float32(1)).astype(np.float32)
    return np.rint(weight / steps).astype(np.int8), steps


def _product(graph: Any, node: Any, weight: NDArray[np.float32]) -> Iterator[Any]:  # noqa: ANN401 - onnx has no types
    """Yield the nodes of a map, weight [out, in] and bias [out] as torch writes it, in int8."""
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
    """Yield the nodes of a look-up of rows of a table in int8."""
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
