"""The tasks for lm-evaluation-harness: a folder of definitions that ``--include_path`` takes.

A definition names its task and nothing else; what they have in common is the class in :mod:`.task`, which lives beside them
because the harness looks for it there.

lm-evaluation-harness 的任务定义；用法：

.. code-block:: sh

    lm_eval --include_path "$(python -m fangwei.harness.lm_eval)" --tasks fangwei_2022_judge --model …
"""

from __future__ import annotations

from pathlib import Path


def path() -> str:
    """The folder of definitions. 任务定义所在的文件夹。

    >>> import fangwei.harness.lm_eval
    >>> from pathlib import Path
    >>> (Path(fangwei.harness.lm_eval.path()) / "fangwei.yaml").is_file()
    True
    """
    return str(Path(__file__).parent)
