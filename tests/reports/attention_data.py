"""What the script of an attention page reads."""

import json
import re

PAYLOAD = re.compile(r'<script type="application/json" id="attention-data">(.*?)</script>', re.DOTALL)


def data(page: str) -> dict:
    return json.loads(PAYLOAD.search(page)[1])


def payload(page: str) -> list[dict]:
    """The models, with their tokens and maps."""
    return data(page)["models"]
