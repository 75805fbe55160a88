"""The guide's Python is run as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

GUIDE = Path(__file__).parents[3] / "docs" / "guide"
#: From here on the guide speaks of models and files that are the reader's own; the harness tests cover it.
REST = {"en": "## In other evaluation libraries", "zh": "## 在别的评测库里使用"}


@pytest.mark.parametrize("language", REST)
def test_the_guide_runs(language: str) -> None:
    page = (GUIDE / language / "python.md").read_text(encoding="utf-8")
    assert page.count(REST[language]) == 1
    blocks = re.findall(r"```python\n(.*?)```", page.split(REST[language])[0], flags=re.S)
    assert len(blocks) == 3
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, f"{language}/python.md", "exec"), names)


def test_both_languages_show_the_same_python() -> None:
    def code(language: str) -> list[str]:
        page = (GUIDE / language / "python.md").read_text(encoding="utf-8")
        blocks = re.findall(r"```python\n(.*?)```", page, flags=re.S)
        # Comments, names and the language of messages differ.
        return [re.sub(r'#.*|"[^"\n]*"', "", line).strip() for block in blocks for line in block.splitlines()]

    assert code("en") == code("zh")
