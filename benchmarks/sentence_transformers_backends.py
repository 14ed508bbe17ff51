"""sentence-transformers under OpenVINO and in int8 under ONNX, in an environment of their own.

    python -m venv /tmp/backends
    /tmp/backends/bin/pip install torch "sentence-transformers[onnx,openvino]" nncf datasets
    /tmp/backends/bin/python benchmarks/sentence_transformers_backends.py MODEL openvino-qint8 2 texts.json

`texts.json` is a list of texts that set the ranges of static int8.

Their packages ask for another transformers than ours. `throughput.py --backends` starts one process for each backend by
this script and gives it texts: a line with the path of a JSON file of texts and the path to write, and a line comes
back when the vectors are there, float32 `.npy`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

BACKENDS = ("openvino", "openvino-qint8", "onnx-qint8")
_CALIBRATION = 300
"""Texts that set the ranges of static int8."""
Encode = Callable[[list[str]], np.ndarray]


def backend_encode(python: str, folder: Path, backend: str, threads: int, texts: list[str], work: Path) -> Encode:
    """Return the encoder of a backend, which runs in a process of its own.

    Args:
        python: the Python of the environment that has the backends.
        folder: folder of the model.
        backend: one of `BACKENDS`.
        threads: number of threads.
        texts: texts to calibrate int8 with.
        work: an empty folder.
    """
    (work / "calibration.json").write_text(json.dumps(texts[:_CALIBRATION]))
    command = [python, __file__, str(folder), backend, str(threads), str(work / "calibration.json")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    requests, answers = process.stdin, process.stdout
    assert requests is not None
    assert answers is not None
    texts_file, vectors_file = work / "texts.json", work / "vectors.npy"

    def encode(texts: list[str]) -> np.ndarray:
        texts_file.write_text(json.dumps(texts))
        print(texts_file, vectors_file, file=requests, flush=True)
        for line in answers:
            if line.strip() == "done":
                vectors: np.ndarray = np.load(vectors_file)
                return vectors
        raise SystemExit(f"{backend} ended before it answered")

    return encode


def load(folder: Path, backend: str, threads: int, texts: list[str], work: Path) -> Any:
    """Return the SentenceTransformer of a backend.

    Args:
        folder: folder of the model.
        backend: one of `BACKENDS`.
        threads: number of threads.
        texts: texts to calibrate int8 with.
        work: an empty folder.
    """
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(threads)
    copy = shutil.copytree(folder, work / "model")
    if backend == "onnx-qint8":
        import onnxruntime
        from sentence_transformers import export_dynamic_quantized_onnx_model

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        plain = SentenceTransformer(str(copy), backend="onnx", device="cpu", model_kwargs={"export": True})
        export_dynamic_quantized_onnx_model(plain, "avx512_vnni", str(copy))
        choices = {"file_name": "onnx/model_qint8_avx512_vnni.onnx", "session_options": options}
        return SentenceTransformer(str(copy), backend="onnx", device="cpu", model_kwargs=choices)
    settings = {"ov_config": {"INFERENCE_NUM_THREADS": threads}}
    if backend == "openvino":
        return SentenceTransformer(
            str(copy), backend="openvino", device="cpu", model_kwargs={"export": True, **settings}
        )
    _quantize(copy, texts)
    choices = {"file_name": "openvino/openvino_model.xml", **settings}
    return SentenceTransformer(str(copy), backend="openvino", device="cpu", model_kwargs=choices)


def _quantize(folder: Path, texts: list[str]) -> None:
    """Write the model as static int8, by optimum's own way and ranges of these texts."""
    from datasets import Dataset
    from optimum.intel import OVConfig, OVModelForFeatureExtraction, OVQuantizationConfig, OVQuantizer
    from transformers import AutoTokenizer

    model = OVModelForFeatureExtraction.from_pretrained(folder, export=True)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    rows = [dict(tokenizer(text, truncation=True, max_length=256)) for text in texts]
    OVQuantizer.from_pretrained(model).quantize(
        calibration_dataset=Dataset.from_list(rows),
        ov_config=OVConfig(quantization_config=OVQuantizationConfig(num_samples=len(rows))),
        save_directory=folder / "openvino",
    )


def main() -> None:
    """Answer lines of standard input until it ends."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder of the model")
    parser.add_argument("backend", choices=BACKENDS)
    parser.add_argument("threads", type=int)
    parser.add_argument("calibration", type=Path, help="JSON list of texts that set the ranges of static int8")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as work:
        texts = json.loads(options.calibration.read_text())
        model = load(options.folder, options.backend, options.threads, texts, Path(work))
        for line in sys.stdin:
            texts_file, vectors_file = line.split()
            vectors = model.encode(json.loads(Path(texts_file).read_text()), show_progress_bar=False)
            np.save(vectors_file, vectors)
            print("done", flush=True)


if __name__ == "__main__":
    main()
