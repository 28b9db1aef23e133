"""The study of the game: its page is what its summary says, and small runs can be summed up."""

from __future__ import annotations

import json
import sys

import pytest

from tests.cli import ROOT

sys.path.append(str(ROOT / "benchmarks"))
pytestmark = pytest.mark.skipif(not (ROOT / "benchmarks" / "study.py").exists(), reason="not in a source tree")


def test_the_page_is_made_of_the_summary() -> None:
    from study_page import page

    data = json.loads((ROOT / "docs" / "study.json").read_text(encoding="utf-8"))
    assert (ROOT / "docs" / "study.md").read_text(encoding="utf-8") == page(data)


def test_points_of_the_summary_sum_to_zero() -> None:
    data = json.loads((ROOT / "docs" / "study.json").read_text(encoding="utf-8"))
    for stage in ("dealt", "exchanged"):
        for contract in data[stage].values():
            assert sum(found["mean"] for found in contract["par"].values()) == pytest.approx(0, abs=0.003)
        assert sum(found["mean"] for found in data[f"named_{stage}"]["share"].values()) == pytest.approx(1, abs=0.01)
        assert sum(found["mean"] for found in data[f"named_{stage}"]["par"].values()) == pytest.approx(0, abs=0.003)


@pytest.mark.slow
def test_a_small_study(tmp_path) -> None:
    pytest.importorskip("pyarrow")
    from study import run
    from study_summary import summed_up

    run(tmp_path, 50)
    first = summed_up(tmp_path)
    assert first["named_dealt"]["n"] == 50
    run(tmp_path, 50)  # all is there already
    again = summed_up(tmp_path)
    assert {**again, "seconds": 0} == {**first, "seconds": 0}
