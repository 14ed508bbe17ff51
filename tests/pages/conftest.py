"""What the page's tests share: the elements of a page, read with Python's own parser."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
