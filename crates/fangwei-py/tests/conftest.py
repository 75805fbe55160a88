"""What tests share: the sample of the repository and the program of the same build."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import fangwei
import pytest

SAMPLE = Path(__file__).parents[3] / "data" / "sample"

#: Tasks with a file of gold and one of predictions in the sample.
SCORED = ["2022/judge", "2022/attribute", "2022/roles", "2023/anomaly", "2023/roles", "2023/scene"]


@pytest.fixture(autouse=True)
def _english() -> Iterator[None]:
    """Messages do not depend on who runs the tests."""
    before = fangwei.language()
    fangwei.set_language("en")
    yield
    fangwei.set_language(before)


@pytest.fixture(scope="session")
def program() -> Callable[..., str]:
    """Runs the program and gives what it prints; FANGWEI names it."""
    path = os.environ.get("FANGWEI")
    if not path or not Path(path).exists():
        pytest.skip("the program is not there: FANGWEI names it")

    def run(*arguments: Any, codes: tuple[int, ...] = (0, 1)) -> str:
        done = subprocess.run(
            [path, "--lang", "en", *map(str, arguments)], capture_output=True, text=True, check=False, encoding="utf-8"
        )
        assert done.returncode in codes, done.stderr
        return done.stdout

    return run


def gold(task: str) -> Path:
    return SAMPLE / task / "gold.jsonl"


def pred(task: str) -> Path:
    return SAMPLE / task / "pred.jsonl"


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]


#: Passages with their words, which `data/sample` has as raw text only.
@pytest.fixture(scope="session")
def passages() -> fangwei.Frame:
    return fangwei.corpus(SAMPLE / "source", target=256, near=0.6).passages
