"""Texts a second of `wordworth serve` on loopback, beside `encode` on the same texts, a stand-in and infinity.

    python -m venv /tmp/infinity && /tmp/infinity/bin/pip install torch "infinity-emb[server,torch]"
    python benchmarks/serving.py --infinity /tmp/infinity/bin/infinity_emb --out docs/records/serving.json

Each client sends one request after another over a connection of its own. Server, stand-in and `encode` take turns, with
the same number of threads; our server and `encode` in `--dtype`, the others in float32. The client runs on the same
cores. Processor seconds, which other work on the machine moves less, stand beside those of the clock; they are of the
server alone, without the client.

The stand-in does what servers do that know no lengths: first come, first served, at most eight texts a batch, padded to
the longest, in onnxruntime; it runs under the same uvicorn, and reads one text a request. infinity cannot share our
environment and is measured if `--infinity` names its program: its torch engine on the processor, otherwise as it comes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import uvloop

import measure
from minilm import minilm
from mixed_texts import mixed_texts, sentences
from wordworth.cli.scripts import run_script
from wordworth.models.text_encoder import TextEncoder
from wordworth.sources import resolve

CLIENTS = (1, 8, 32, 256)
OURS, STAND_IN, INFINITY = "wordworth serve", "stand-in", "infinity"
_INFINITY_PORT = 7997
_TEXTS_A_REQUEST = 8
"""Texts of a request in the case of several."""
_BATCH = 8
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Server:
    """A server in a process of its own: its port, its process, and the seconds until it was ready."""

    port: int
    process: int
    ready: float

    def processor_seconds(self) -> float:
        """Return the processor seconds that it has used."""
        fields = Path(f"/proc/{self.process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS


@contextmanager
def running(command: Sequence[str], threads: int) -> Iterator[Server]:
    """Start a server that writes its address to standard error when it is ready; stop it at the end."""
    began = time.perf_counter()
    offline = {"HF_HUB_OFFLINE": "1", "DO_NOT_TRACK": "1", "INFINITY_ANONYMOUS_USAGE_STATS": "0"}
    environment = {**os.environ, **offline, "OMP_NUM_THREADS": str(threads), "TOKENIZERS_PARALLELISM": "false"}
    environment.pop("PYTHONPATH" if command[0] != sys.executable else "", None)  # infinity has its own packages
    with subprocess.Popen(
        command,
        stdout=subprocess.DEVNULL,  # infinity writes a line for every request
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if match := re.search(r"(?:at|on) http://127\.0\.0\.1:(\d+)", line):
                ready = time.perf_counter() - began
                reading = threading.Thread(target=process.stderr.read, daemon=True)
                reading.start()  # so that a full pipe never stops the server
                yield Server(int(match[1]), process.pid, ready)
                process.terminate()
                reading.join()
                return
        raise SystemExit(f"{command[0]} ended before it was ready")


def infinity_command(program: str) -> list[str]:
    """Return the command that serves MiniLM by infinity, whose program is given."""
    model = ["--model-id", str(resolve("minilm").folder), "--served-model-name", "minilm"]
    where = ["--host", "127.0.0.1", "--port", str(_INFINITY_PORT), "--url-prefix", "/v1", "--device", "cpu"]
    return [program, "v2", *model, *where, "--engine", "torch", "--dtype", "float32", "--no-trust-remote-code"]


def stand_in() -> None:
    """Run the stand-in until it is stopped."""
    import uvicorn
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Route

    from onnx_peer import onnx_encode
    from wordworth.models.canary_texts import as_base64

    encode = onnx_encode(resolve("minilm").folder, Path(tempfile.mkdtemp()), int(os.environ["OMP_NUM_THREADS"]))
    waiting: asyncio.Queue[tuple[str, asyncio.Future[np.ndarray]]] = asyncio.Queue()

    async def work() -> None:
        while True:
            batch = [await waiting.get()]
            while len(batch) < _BATCH and not waiting.empty():
                batch.append(waiting.get_nowait())
            vectors = await asyncio.to_thread(encode, [text for text, _ in batch])
            for (_, future), vector in zip(batch, vectors, strict=True):
                future.set_result(vector)

    async def answer(request: Request) -> Response:
        future = asyncio.get_running_loop().create_future()
        waiting.put_nowait((json.loads(await request.body())["input"][0], future))
        return Response(json.dumps({"data": [{"embedding": as_base64(await future)}]}))

    async def serve() -> None:
        config = uvicorn.Config(
            Starlette(routes=[Route("/v1/embeddings", answer, methods=["POST"])]), port=0, log_level="warning"
        )
        socket = config.bind_socket()
        print(f"at http://127.0.0.1:{socket.getsockname()[1]}", file=sys.stderr, flush=True)
        working = asyncio.create_task(work())
        await uvicorn.Server(config).serve([socket])
        working.cancel()

    uvloop.run(serve())


def ask(port: int, texts: Sequence[str], clients: int, size: int) -> tuple[float, list[float]]:
    """Send texts from several clients at once; return the seconds in all, and those of each request.

    Args:
        port: of the server.
        texts: the texts; each client takes the next ones when it has an answer.
        clients: number of clients.
        size: number of texts a request.
    """
    requests = [texts[start : start + size] for start in range(0, len(texts), size)]
    latencies: list[float] = []

    async def client(chunks: Iterator[Sequence[str]]) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 24)
        for several in chunks:
            body = json.dumps({"model": "minilm", "input": list(several), "encoding_format": "base64"}).encode()
            began = time.perf_counter()
            fields = f"host: x\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
            writer.write(b"POST /v1/embeddings HTTP/1.1\r\n" + fields.encode() + body)
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200"), head
            length = re.search(rb"content-length: (\d+)", head)
            assert length is not None
            await reader.readexactly(int(length[1]))
            latencies.append(time.perf_counter() - began)
        writer.close()

    async def everyone() -> None:
        shared = iter(requests)  # each client takes the next, so that all are busy until the end
        await asyncio.gather(*(client(shared) for _ in range(clients)))

    began = time.perf_counter()
    uvloop.run(everyone())
    return time.perf_counter() - began, latencies


def kinds_of_texts(encoder: TextEncoder, scale: int) -> dict[str, list[str]]:
    """Return short, mixed and long texts, the fewer the longer they are."""
    pool = mixed_texts(40 * scale, encoder.tokenizer)
    lengths = dict(zip(pool, map(len, encoder.tokenizer.ids(pool)), strict=True))
    brief = sorted(set(sentences()))
    short = [text for text, ids in zip(brief, encoder.tokenizer.ids(brief), strict=True) if len(ids) <= 16]
    return {
        "short": short[: 40 * scale],
        "mixed": pool[: 24 * scale],
        "long": [text for text in pool if lengths[text] >= 150][: 4 * scale],
    }


def quantiles(latencies: list[float]) -> dict[str, float]:
    """Return the median and the 95th and 99th percentile, in milliseconds."""
    return {f"p{share}": float(np.percentile(latencies, share)) * 1e3 for share in (50, 95, 99)}


def compared(
    encoder: TextEncoder, texts: list[str], servers: dict[str, Server], rounds: int
) -> list[dict[str, object]]:
    """Measure all numbers of clients on the same texts, `encode` before each case; return a row for each case.

    Args:
        encoder: the library's encoder.
        texts: the texts.
        servers: the servers by name.
        rounds: number of rounds.
    """
    cases = [(name, clients, 1) for name in servers for clients in CLIENTS]
    cases += [(name, 32, _TEXTS_A_REQUEST) for name in servers if name != STAND_IN]
    seconds: dict[tuple[str, int, int], list[float]] = {case: [] for case in cases}
    processor: dict[tuple[str, int, int], list[float]] = {case: [] for case in cases}
    ours: dict[str, list[float]] = {"seconds": [], "processor": []}
    latencies: dict[tuple[str, int, int], list[float]] = {case: [] for case in cases}
    for _ in range(rounds):
        for case in cases:
            name, clients, size = case
            began, used = time.perf_counter(), time.process_time()
            encoder.encode(texts)
            ours["seconds"].append(time.perf_counter() - began)
            ours["processor"].append(time.process_time() - used)
            used = servers[name].processor_seconds()
            took, each = ask(servers[name].port, texts, clients, size)
            seconds[case].append(took)
            processor[case].append(servers[name].processor_seconds() - used)
            latencies[case] += each
    turns = {case: slice(number, None, len(cases)) for number, case in enumerate(cases)}  # `encode` just before each
    return [
        {
            "server": case[0],
            "clients": case[1],
            "texts_a_request": case[2],
            "texts_per_second": measure.Spread.of([len(texts) / took for took in seconds[case]]),
            "share_of_encode": _ratios(ours["seconds"][turns[case]], seconds[case]),
            "encode_processor_over_server_processor": _ratios(ours["processor"][turns[case]], processor[case]),
            "milliseconds": quantiles(latencies[case]),
        }
        for case in cases
    ]


def _ratios(base: list[float], other: list[float]) -> measure.Spread:
    return measure.Spread.of([a / b for a, b in zip(base, other, strict=True)])


def ready_seconds(command: Sequence[str], options: argparse.Namespace) -> measure.Spread:
    """Start a server in every round; return the seconds until it was ready."""
    seconds = []
    for _ in range(options.rounds):
        with running(command, options.threads) as server:
            seconds.append(server.ready)
    return measure.Spread.of(seconds)


def main() -> None:
    """Start the servers, compare vectors, take turns, report."""
    if sys.argv[1:] == ["stand-in"]:
        stand_in()
        return
    parser = measure.parser(__doc__, ["infinity"], scale=12, rounds=3)
    parser.add_argument("--dtype", default="float32", help="of our server and of encode; auto is as they come")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    encoder = minilm(options.dtype)
    commands = {
        OURS: [sys.executable, "-m", "wordworth", "serve", "minilm", "--port", "0", "--dtype", options.dtype],
        STAND_IN: [sys.executable, str(Path(__file__).resolve()), "stand-in"],
    }
    if options.infinity is not None:
        commands[INFINITY] = infinity_command(str(options.infinity))
    ready = {name: ready_seconds(command, options) for name, command in commands.items()}
    texts = kinds_of_texts(encoder, options.scale)
    with ExitStack() as stack:
        servers = {name: stack.enter_context(running(each, options.threads)) for name, each in commands.items()}
        for each in texts.values():  # all warm up
            for server in servers.values():
                ask(server.port, each[:64], 8, 1)
        figures = {kind: compared(encoder, each, servers, options.rounds) for kind, each in texts.items()}
    tokens = {kind: float(np.mean([len(ids) for ids in encoder.tokenizer.ids(each)])) for kind, each in texts.items()}
    measure.report(
        {
            "texts": {kind: len(each) for kind, each in texts.items()},
            "mean_tokens": tokens,
            "rounds": options.rounds,
            "threads": options.threads,
            "dtype": encoder.dtype,
            "ready_seconds": ready,
            "figures": figures,
        },
        options.out,
    )


if __name__ == "__main__":
    run_script(main)
