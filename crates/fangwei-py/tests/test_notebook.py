"""The notebook, executed from the first cell to the last in the kernel of this interpreter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import fangwei
import pytest

nbformat = pytest.importorskip("nbformat", reason="pip install nbclient ipykernel pandas")
nbclient = pytest.importorskip("nbclient", reason="pip install nbclient ipykernel pandas")
pytest.importorskip("ipykernel", reason="pip install nbclient ipykernel pandas")
pytest.importorskip("pandas", reason="pip install nbclient ipykernel pandas")

NOTEBOOK = Path(__file__).parent.parent / "notebooks" / "fangwei.ipynb"


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What each cell shows, by the cell's name; a cell that fails fails the test."""
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    folder = tmp_path_factory.mktemp("anywhere")
    client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}})
    client.execute()
    assert list(folder.iterdir()) == [], "nothing is written"
    return {cell.id: "\n".join(map(_text, cell.outputs)) for cell in notebook.cells if cell.cell_type == "code"}


def _text(output: Any) -> str:
    assert output.output_type != "error", output
    return str(output.get("text") or output["data"]["text/plain"])


def test_no_outputs_are_stored() -> None:
    cells = [cell for cell in nbformat.read(NOTEBOOK, as_version=4).cells if cell.cell_type == "code"]
    assert cells and all(not cell.outputs and cell.execution_count is None for cell in cells)


def test_every_cell_shows_what_it_tells_about(shown: dict[str, str]) -> None:
    assert all(task.id in shown["begin"] for task in fangwei.tasks())
    assert "1-dev-1" in shown["sample"]
    assert "'他跳进山洞里。'" in shown["explore"] and "enter-outside" in shown["explore"]
    assert "上/locative" in shown["tag"]
    assert shown["validate"].startswith("False") and all(code in shown["validate"] for code in ("bad-verdict", "duplicate-qid", "missing-qid"))


def test_key_numbers_appear(shown: dict[str, str]) -> None:
    roles = fangwei.sample("2023/roles")
    short = [{"qid": item["qid"], "results": item["results"][:-1]} for item in roles]
    for mode in ("official", "spec"):
        score = fangwei.score("2023/roles", roles, short, mode=mode)  # type: ignore[arg-type]
        assert f"{score.value:.6f}" in shown["score"]
        assert f"{score.per_item.to_dicts()[-1]['f1']:.3f}" in shown["per-item"]
    # 4 and 16 of 32 judged wrongly; 7 of 12 items are normal.
    assert "0.375 True" in shown["compare"] and "0.875" in shown["compare"] and "0.500" in shown["compare"]
    assert "careful" in shown["rank"] and "0.583" in shown["rank"] and "-0.707" in shown["rank"]
    assert shown["agree"].startswith("0.453 0.437") and "0.824" in shown["agree"]
    assert "2 files, 24 items" in shown["audit"]
    assert all(state in shown["ask"] for state in ("parsed", "repaired", "unparsed"))
    assert "11 of 12 answered; accuracy 0.917" in shown["asked"]
