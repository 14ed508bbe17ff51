"""A server of OpenAI's embeddings API that is not ours: a few lines over a function from texts to vectors."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@contextmanager
def other_server(vectors_of, *, models=("mini",), key="", body=None, status=200, lists_models=True):
    """Yield the address; `vectors_of` takes a list of texts, and `body` is answered instead of its vectors.

    A request that names a model has vectors only if it is the last of `models`.
    """

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def answer(self, answered):
            refused = key and self.headers.get("authorization") != f"Bearer {key}"
            content = answered if isinstance(answered, bytes) else json.dumps(answered).encode()
            self.send_response(401 if refused else status)
            self.send_header("location", "http://127.0.0.1:9/")
            self.end_headers()
            self.wfile.write(b"no key" if refused else content)

        def do_GET(self):
            if lists_models:
                self.answer({"data": [{"id": name} for name in models]})
            else:
                self.send_error(404)

        def do_POST(self):
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            if request.get("model", "") not in {"", *models[-1:]}:
                self.send_error(404)
                return
            rows = enumerate(vectors_of(request["input"]))
            usual = {"data": [{"index": index, "embedding": list(map(float, vector))} for index, vector in rows]}
            self.answer(usual if body is None else body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
