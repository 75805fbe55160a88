"""What the parts of steps cost in one place: prints judged a second, bytes held, bytes a row, memory of a worker.

    RAYON_NUM_THREADS=1 taskset -c 0 python benches/parts.py [PASSAGES]

Needs the Python package as a release build and pyarrow.
"""

from __future__ import annotations

import ctypes
import os
import random
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa

import fangwei
from fangwei import parts

PIECES = 6


def held(work: Callable[[], object], rows: int) -> float:
    """Bytes of memory a row by which work lets this process grow (Linux with glibc)."""
    page, trim = os.sysconf("SC_PAGESIZE"), ctypes.CDLL(None).malloc_trim

    def pages() -> int:
        # What was freed goes back first, or it would be used again unseen.
        trim(0)
        return int(Path("/proc/self/statm").read_text().split()[1])

    before = pages()
    work()
    return (pages() - before) * page / rows


def main() -> None:
    passages = int(sys.argv[1]) if len(sys.argv) > 1 else 600_000
    sample = Path(__file__).parents[1] / "data" / "sample" / "source"
    rows = fangwei.corpus(sample, target=256, near=0.6).passages.to_arrow()
    print(f"a process with pyarrow, lexicon and tagger: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
    rows = rows.append_column("number", pa.array(range(rows.num_rows), pa.int64()))
    drafts = [draft for draft in parts.drafts(rows)["draft"].to_pylist() if draft]
    print(f"a draft of the sample's {len(drafts)} passages: {sum(len(draft.encode()) for draft in drafts) / len(drafts):.0f} bytes")
    verdicts = parts.Judge(max_guessed=1, min_hard=0).verdicts(rows).select(["number", "id", "lot", "genre", "source"])
    print(f"a verdict on its way to the draw: {verdicts.nbytes / verdicts.num_rows:.0f} bytes")
    chance, signs, size = random.Random(1), [chr(0x4E00 + number) for number in range(3000)], passages // PIECES
    prints = []
    for piece in range(PIECES):
        texts = ["".join(chance.choices(signs, k=100)) for _ in range(size)]
        prints.append(parts.prints(pa.record_batch({"number": pa.array(range(piece * size, (piece + 1) * size)), "text": texts})))
    seen, begun = parts.Seen(), time.perf_counter()
    for piece in prints:
        seen.judge(piece)
    took = time.perf_counter() - begun
    longs = {name: pa.array([chance.getrandbits(63) for _ in range(passages)]) for name in ("number", "id", "lot", "source")}
    passing, draw = pa.record_batch({**longs, "genre": ["news"] * passages}), parts.Draw()
    print(f"the draw holds {held(lambda: draw.take(passing), passages):.0f} bytes for each that passes")
    marks, chooser = pa.record_batch({"mark": [chance.randbytes(16) for _ in range(passages)]}), parts.Chooser()
    print(f"the choice of candidates holds {held(lambda: chooser.see(marks), passages):.0f} bytes for each text")
    print(f"prints judged: {size * PIECES / took / 1e6:.2f} million a second, {seen.bytes / (size * PIECES):.0f} bytes held for each")


if __name__ == "__main__":
    main()
