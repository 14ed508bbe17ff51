"""HTTPS with a certificate of one's own, and files that cannot be used."""

import contextlib
import shutil
import socket
import ssl
import subprocess

import httpx
import pytest
from tests.cli.terminal import wordworth
from tests.serving.real_server import real_server, seconds_until_closed
from tests.serving.served import tiny_encoder
from tests.serving.test_http_protocol import SHORT

from wordworth.errors import BadInput
from wordworth.serving.check_tls_files import require_tls_files

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl makes the certificate")


def make_pair(folder, name):
    """A certificate of this machine that it signs itself, and its key."""
    certificate, key = folder / f"{name}.pem", folder / f"{name}.key"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    named = ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*made, *named, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    return make_pair(tmp_path_factory.mktemp("tls"), "own")


def test_it_speaks_https_to_clients_that_trust_the_certificate(pair, tmp_path):
    tiny_encoder(tmp_path / "tiny")
    certificate, key = pair
    trusting = ssl.create_default_context(cafile=certificate)
    with real_server(tmp_path / "tiny", "--tls-certificate", certificate, "--tls-key", key) as server:
        assert server.address.startswith("https://127.0.0.1:")
        answer = httpx.post(f"{server.address}/embed", json={"inputs": "a"}, verify=trusting)
        with pytest.raises(httpx.HTTPError):
            httpx.post(f"{server.address.replace('https', 'http')}/embed", json={"inputs": "a"})
        assert server.stop()[0] == 0
    assert (answer.status_code, len(answer.json()[0])) == (200, 32)


@pytest.mark.parametrize("beginning", [b"", b"\x16\x03\x01"])
def test_a_handshake_that_does_not_arrive_ends_its_connection(pair, tmp_path, beginning):
    tiny_encoder(tmp_path / "tiny")
    certificate, key = pair
    with real_server(tmp_path / "tiny", "--tls-certificate", certificate, "--tls-key", key, patch=SHORT) as server:
        host, port = server.address.removeprefix("https://").split(":")
        with socket.create_connection((host, int(port)), timeout=30) as connection:
            connection.sendall(beginning)
            with contextlib.suppress(ConnectionResetError):
                assert seconds_until_closed(connection)[0] < 8  # the deadline is one second


def test_no_files_are_plain_http():
    assert not require_tls_files(None, None)


def test_files_that_cannot_be_used_are_one_clear_error(pair, tmp_path):
    certificate, key = pair
    (tmp_path / "no.pem").write_text("no certificate")
    encrypted = tmp_path / "encrypted.key"
    subprocess.run(["openssl", "ec", "-in", key, "-aes128", "-passout", "pass:secret", "-out", encrypted], check=True)
    _, another = make_pair(tmp_path, "another")
    for files in (
        (tmp_path / "nowhere.pem", key),
        (tmp_path / "no.pem", key),
        (certificate, another),
        (certificate, encrypted),
    ):
        with pytest.raises(BadInput, match="cannot be used: "):
            require_tls_files(*files)
    with pytest.raises(BadInput, match="is of no use alone"):
        require_tls_files(certificate, None)
    done = wordworth("serve", "mini", "--tls-key", key)
    assert (done.code, "wordworth: --tls-key: it is of no use alone" in done.err) == (2, True)
