"""The examples do what they say: the same bytes as the commands, by processes of one's own and by Ray."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import SAMPLE

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture(scope="module")
def made(program: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Passages with copies among them, and what the commands make of them."""
    folder = tmp_path_factory.mktemp("commands")
    lines = [line for file in sorted((SAMPLE / "source").rglob("*.txt")) for line in file.read_text(encoding="utf-8").splitlines()]
    (folder / "raw.txt").write_text("\n".join([*lines, *(line.replace("了", "过") for line in lines[:60])]), encoding="utf-8")
    program("corpus", folder / "raw.txt", "-o", folder / "all.jsonl", "--target", 256, "--near", "off")
    program("corpus", folder / "raw.txt", "-o", folder / "passages.jsonl", "--target", 256)
    program("select", folder / "passages.jsonl", "-o", folder / "originals.jsonl")
    program("substitute", folder / "originals.jsonl", "-o", folder / "candidates.jsonl")
    return folder


def check(made: Path, out: Path, *names: str) -> None:
    for name, source in zip(names, (name.replace("tagged", "all") for name in names), strict=True):
        assert (out / f"{name}.jsonl").read_bytes() == (made / f"{source}.jsonl").read_bytes(), name
        assert (out / f"{name}.jsonl").stat().st_size > 10_000


def run(script: str, *arguments: str | Path) -> None:
    done = subprocess.run([sys.executable, EXAMPLES / script, *arguments], capture_output=True, text=True, check=False, env={**os.environ, "RAY_DEDUP_LOGS": "0"})
    assert done.returncode == 0, done.stderr[-4000:]


def test_processes_of_ones_own(made: Path, tmp_path: Path) -> None:
    run("processes.py", made / "all.jsonl", tmp_path)
    check(made, tmp_path, "tagged", "passages", "originals", "candidates")


@pytest.mark.ray
def test_ray_data(made: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray.data", reason="Ray Data is not installed")
    run("ray_data.py", made / "all.jsonl", tmp_path)
    check(made, tmp_path, "passages", "originals", "candidates")
