"""方位 fangwei: Chinese spatial-understanding evaluations, from raw text to a board.

Every function is the step of the same name on the command line and gives the same numbers: it is the same program. Data may
be a path, a record, records, or a table of pandas, polars, pyarrow or datasets.

每个函数就是命令行里同名的一步，结果相同。数据可以是文件、记录，或 pandas、polars、pyarrow、datasets 的数据表。

>>> import fangwei
>>> fangwei.explore("他跳进山洞外。").mended
'他跳进山洞里。'
"""

from __future__ import annotations

import os as _os

from . import errors
from ._fangwei import VERSION as __version__
from ._fangwei import language, set_language
from .defect import Defect
from .frame import Frame, Rows
from .steps.agree import Agreement, agree
from .steps.ask import Asker, Reading
from .steps.audit import Audit, audit
from .steps.compare import Comparison, compare
from .steps.convert import Converted, conversions, convert
from .steps.corpus import Corpus, corpus
from .steps.explore import Explored, explore
from .steps.lexicon import Lexicon
from .steps.load import Items, load, sample
from .steps.rank import Ranking, rank
from .steps.score import Score, score
from .steps.select import Selected, select
from .steps.substitute import Blind, Substituted, blind, substitute
from .steps.tag import Tagged, tag, tag_table
from .steps.tasks import Task, task, tasks
from .steps.validate import Validation, validate


def lexicon(folder: str | _os.PathLike[str] | None = None) -> Lexicon:
    """The spatial lexicon: the shipped one, or that of a folder. 空间词表：自带的，或一个文件夹里的。

    >>> import fangwei
    >>> fangwei.lexicon().look_up("里")[0].class_
    'locative'
    """
    return Lexicon(folder)


def _speak() -> None:
    """Messages in the language of the system, as on the command line: Chinese where it says nothing, English where it says neither."""
    tag = next((_os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if _os.environ.get(name)), "zh")
    try:
        set_language(tag)
    except errors.UnknownNameError:
        set_language("en")


_speak()

__all__ = [
    "Agreement",
    "Asker",
    "Audit",
    "Blind",
    "Comparison",
    "Converted",
    "Corpus",
    "Defect",
    "Explored",
    "Frame",
    "Items",
    "Lexicon",
    "Ranking",
    "Reading",
    "Rows",
    "Score",
    "Selected",
    "Substituted",
    "Tagged",
    "Task",
    "Validation",
    "__version__",
    "agree",
    "audit",
    "blind",
    "compare",
    "conversions",
    "convert",
    "corpus",
    "errors",
    "explore",
    "language",
    "lexicon",
    "load",
    "rank",
    "sample",
    "score",
    "select",
    "set_language",
    "substitute",
    "tag",
    "tag_table",
    "task",
    "tasks",
    "validate",
]
