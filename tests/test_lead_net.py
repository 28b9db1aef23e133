"""The learned order of leads is only an order: whatever the nets hold, every value stays the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib.resources import files
from itertools import chain

import pytest

from mizerka_solver import Contract, Deal, Position
from tests.helpers import builds, question, triple

BUILDS = builds("_engine")
each_build = pytest.mark.parametrize("core", BUILDS, ids=lambda core: core.build())
NETS = files("mizerka_solver.core").joinpath("leads.bin").read_bytes()
MEMORY = 8 << 20


@pytest.fixture
def load() -> Iterator[dict]:
    """A loader a build, since each has nets of its own; the learned ones are back afterwards."""
    yield {core: core.load_leads for core in BUILDS}
    for core in BUILDS:
        core.load_leads(NETS)


def positions() -> Iterator[Position]:
    """Every contract and leader, from whole suits missing to even hands, some in the middle of a trick."""
    rng = random.Random(2)
    for n in chain((3, 5, 7) * 6, (9,) * 6):
        contract = rng.choice(tuple(Contract))
        position = Deal.random(rng.randrange(1 << 30)).position(contract)
        while position.tricks_left > n:
            position = position.play(rng.choice(position.legal_cards()))
        for _ in range(rng.randrange(3)):
            position = position.play(rng.choice(position.legal_cards()))
        yield position


POSITIONS = tuple(positions())


def answers(core) -> tuple[list[tuple[int, ...]], int]:
    """The values of all positions, and the nodes that they took."""
    engine = core.Engine(MEMORY)
    return [triple(engine, position) for position in POSITIONS], engine.stats["nodes"]


def nets(kind: str) -> bytes:
    if kind == "zero":
        return bytes(len(NETS))
    if kind == "all ones":
        return b"\xff" * len(NETS)
    if kind == "extremes":  # the largest sums there can be
        return bytes(random.Random(0).choices((0x7F, 0x80), k=len(NETS)))
    return random.Random(kind).randbytes(len(NETS))


def test_the_positions_are_of_all_kinds():
    assert {position.contract for position in POSITIONS} == set(Contract)
    assert {len(position.trick) for position in POSITIONS} == {0, 1, 2}
    assert len({position.leader for position in POSITIONS}) == 3


@pytest.mark.parametrize("kind", ["zero", "all ones", "extremes", "random 1", "random 2"])
def test_no_numbers_change_a_value(load, kind):
    learned = {core: answers(core) for core in BUILDS}
    found = {}
    for core in BUILDS:
        load[core](nets(kind))
        found[core] = answers(core)
        assert found[core][0] == learned[core][0]
        assert found[core][1] > learned[core][1], "not loaded, or nothing was learned"
    # The vector code of one build and the loops of the other give the same sums, however large.
    assert len({nodes for _, nodes in found.values()}) == 1


@each_build
def test_the_nets_are_read_at_import(core):
    """What the package comes with is what is loaded: loading it again moves nothing."""
    deal = Deal.random(3).position(Contract.N)
    before = core.Engine(MEMORY).solve(*question(deal), 0)
    core.load_leads(NETS)
    assert core.Engine(MEMORY).solve(*question(deal), 0) == before


@each_build
@pytest.mark.parametrize("n", [0, 1, len(NETS) - 1, len(NETS) + 1])
def test_nets_of_another_size_are_refused(core, n):
    deal = Deal.random(3).position(Contract.S)
    before = core.Engine(MEMORY).solve(*question(deal), 0)
    with pytest.raises(ValueError, match=f"the nets for leads are {len(NETS)} bytes, not {n}"):
        core.load_leads(bytes(n))
    assert core.Engine(MEMORY).solve(*question(deal), 0) == before


@each_build
def test_a_build_for_use_does_not_record(core, tmp_path):
    with pytest.raises(RuntimeError, match="this build does not record: set MIZERKA_RECORD=1"):
        core.Recording(core.Engine(MEMORY), str(tmp_path / "leads"), [1.0] * 14)
    assert list(tmp_path.iterdir()) == []
