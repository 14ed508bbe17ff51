"""`require_tls_files`: check a server's certificate and private key before the model is loaded."""

from __future__ import annotations

import ssl
from pathlib import Path

from wordworth.errors import BadInput


def require_tls_files(certificate: Path | None, key: Path | None) -> bool:
    """Check that the files of a server's certificate and private key can be read, and belong together.

    Args:
        certificate: PEM file of the certificate, followed by the certificates of its issuers; None for HTTP.
        key: PEM file of the certificate's private key, not encrypted; None for HTTP.

    Returns:
        True if both files are usable, for HTTPS; False if both are None, for HTTP.

    Raises:
        BadInput: only one of the two is set, or the files cannot be read or do not belong together.
    """
    if certificate is None and key is None:
        return False
    if certificate is None or key is None:
        flags = ("--tls-key", "--tls-certificate") if certificate is None else ("--tls-certificate", "--tls-key")
        raise BadInput("it is of no use alone", where=flags[0], mend=f"give {flags[1]} too")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(certificate, key, password="")
    except OSError as error:  # ssl.SSLError is one
        why = str(error.strerror or error).lower()
        mend = "give a certificate and its own key, both in PEM, the key not encrypted"
        raise BadInput(f"cannot be used: {why}", where=f"{certificate}, {key}", mend=mend) from error
    return True
