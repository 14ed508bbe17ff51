"""What the page of a `heads` record and its captions both read from the record's tables."""

from __future__ import annotations

ABLATIONS = ("zero", "mean", "uniform")
"""What takes the place of a head's attention, as columns of the tables `heads` and `layers`."""
