"""What every page has in common."""

import base64
import hashlib
import re

from example_record import example

from wordworth.reports import render


def test_no_line_ends_between_a_number_and_its_percent_and_what_is_pinned_stays_as_it_is():
    page = render(example())
    code = re.findall(r"<(script|style)\b[^>]*>(.*?)</", page, re.DOTALL)
    text = re.sub(r"<(script|style)\b.*?</\1>", "", page, flags=re.DOTALL)
    assert "95\u00a0%" in text
    assert not re.search(r"\d %", text)
    policy = page.split('http-equiv="Content-Security-Policy" content="')[1].split('"')[0].replace("&#39;", "'")
    pinned = [base64.b64encode(hashlib.sha256(content.encode()).digest()).decode() for _, content in code]
    assert sum(digest in policy for digest in pinned) == 2
