"""Files of a batch: formats that other readers read, streams that may be compressed, resuming, and what is refused."""

from __future__ import annotations

import gzip
import io
import os
import random
import re
import signal
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from mizerka_solver import Contract, Deal, GameRecord, MizerkaError, Solver
from mizerka_solver.batches.backends import Backend
from mizerka_solver.batches.columns import Numpy, Parts
from mizerka_solver.batches.schema import VERSION, Schema, contract_schema, exchange_schema, review_schema, solve_schema
from mizerka_solver.batches.schema import table as schema_table
from mizerka_solver.cli.main import cli
from mizerka_solver.support.compressed import decompressed
from tests.cli import BAD, ROOT, SMALL, environment, interrupted, objects, run, start

posix = pytest.mark.skipif(os.name != "posix", reason="signals and devices of POSIX")
FORMATS = ["jsonl", "csv", "npz", *(["parquet"] if find_spec("pyarrow") else [])]
SECOND = "F:A3.-.-.- M:Q2.-.-.- R:-.AK.-.- T:H2"


@pytest.fixture
def deals(tmp_path: Path) -> Path:
    """Forty small deals, and among them one that is faulty."""
    path = tmp_path / "deals.txt"
    path.write_text("\n".join([*small_deals(40)[:20], BAD, *small_deals(40)[20:]]) + "\n")
    return path


def small_deals(n: int) -> list[str]:
    """Deals of three cards each."""
    chance = random.Random(16)
    pack = [suit + rank for suit in "SHDC" for rank in "23456789TJQKA"]
    found = []
    for _ in range(n):
        cards = chance.sample(pack, 9)
        found.append(str(Deal.from_hands(["".join(cards[i : i + 3]) for i in (0, 3, 6)])))
    return found


def written(deals: Path, suffix: str, *arguments: str) -> Path:
    """The file that an undisturbed run on one thread writes."""
    path = deals.parent / f"whole.{suffix}"
    run("solve", str(deals), "-o", str(path), "-t", "1", *arguments, code=3)
    return path


# Streams


@pytest.mark.parametrize("suffix", FORMATS)
def test_threads_and_compression_change_no_byte(suffix: str, deals: Path) -> None:
    expected = written(deals, suffix).read_bytes()
    name = deals.name
    packed = {"gzip": gzip.compress(deals.read_bytes()[:500]) + gzip.compress(deals.read_bytes()[500:])}
    if find_spec("zstandard"):
        import zstandard

        packed["zstd"] = b"".join(map(zstandard.compress, (deals.read_bytes()[:500], deals.read_bytes()[500:])))
    for kind, data in packed.items():
        folder = deals.parent / kind
        folder.mkdir()
        (folder / name).write_bytes(data)  # told by its first bytes, not by its name
        os.chdir(folder)
        run("solve", name, "-o", f"out.{suffix}", "-t", "3", code=3)
        plain = deals.parent / f"plain.{suffix}"
        os.chdir(deals.parent)
        run("solve", name, "-o", plain.name, "-t", "1", code=3)
        assert (folder / f"out.{suffix}").read_bytes() == plain.read_bytes()
    assert len(expected) > 500


@pytest.mark.parametrize("kind", ["gzip", "zstd"])
def test_what_is_compressed_and_damaged_says_so(kind: str, deals: Path) -> None:
    if kind == "zstd":
        compressed = pytest.importorskip("zstandard").compress(deals.read_bytes())
    else:
        compressed = gzip.compress(deals.read_bytes())
    n_header = 4 if kind == "zstd" else 10
    for data, why in ((compressed[:-20], "end too early"), (compressed[:n_header] + b"\xff" * 40, "are damaged")):
        path = deals.parent / "bad"
        path.write_bytes(data)
        result = run("solve", str(path), "-c", "N", "--json", code=3)
        assert f"{path}: can't be read: the compressed data {why}" in result.stderr
    read = run("solve", "-", "-c", "N", "--json", stdin=compressed, code=3)
    assert len(objects(read.stdout)) == 41


def test_an_answer_comes_before_the_next_deal_is_given() -> None:
    work = start("solve", "-", "--json", "-c", "N", "-t", "4")
    assert work.stdin is not None
    assert work.stdout is not None
    for _ in range(3):
        work.stdin.write(f"{SMALL}\n".encode())
        work.stdin.flush()
        assert SMALL in work.stdout.readline().decode()
    assert work.communicate(timeout=60)[1] == b""
    assert work.returncode == 0


@posix
def test_an_interrupt_is_heard_while_the_input_is_waited_for() -> None:
    work = start("solve", "-", "--json", "-c", "N")
    assert work.stdin is not None
    assert work.stdout is not None
    work.stdin.write(f"{SMALL}\n".encode())
    work.stdin.flush()
    assert work.stdout.readline()
    _, told = interrupted(work)
    assert (work.returncode, told) == (130, b"Interrupted.\n")


def test_unordered_answers_are_the_same_ones(deals: Path) -> None:
    in_order = run("solve", str(deals), "-c", "N", "--json", code=3).stdout
    as_they_come = run("solve", str(deals), "-c", "N", "--json", "--unordered", "-t", "3", code=3).stdout
    both = ([{**row, "contracts": 0} for row in objects(text)] for text in (in_order, as_they_come))
    first, second = (sorted(map(str, rows)) for rows in both)
    assert first == second


@pytest.mark.parametrize("ordered", [True, False])
def test_memory_of_a_stream_is_bounded(ordered: bool) -> None:
    begun, release, most = [0], threading.Event(), [0]

    def items():
        for n in range(200):
            begun[0] += 1
            yield n

    def job(solver: Solver, n: int) -> int:
        if n == 0:
            release.wait(60)
        return n

    results = Backend(threads=2, memory="2M").run(job, items(), ordered=ordered)
    found = []
    if not ordered:
        found = [next(results) for _ in range(50)]
        most[0] = begun[0] - len(found)
    threading.Timer(0.2, release.set).start()
    for n in results:
        most[0] = max(most[0], begun[0] - len(found))
        found.append(n)
    assert sorted(found) == list(range(200))
    assert most[0] <= 12
    if ordered:
        assert found == sorted(found)


# Formats


def test_the_schemas_are_those_of_the_rows() -> None:
    solver = Solver(memory="8M")
    for asked in ({}, {"cards": True}, {"equilibria": True}, {"cards": True, "equilibria": True}):
        row = next(solver.solve(SMALL, "N", **asked).rows())
        assert tuple(row) == solve_schema(**asked).names[1:-1]


@pytest.mark.parametrize("suffix", FORMATS)
def test_the_columns_hold_what_the_library_says(suffix: str, deals: Path) -> None:
    rows = read_back(written(deals, suffix))
    lines = deals.read_text().splitlines()
    solver = Solver(memory="8M")
    assert [row["record"] for row in rows] == sorted(row["record"] for row in rows)
    assert {row["record"] for row in rows} == set(range(1, 42))
    for row in rows:
        text = lines[row["record"] - 1]
        if text == BAD:
            assert (row["deal"], row["slack"]) == (None, None)
            assert row["error"].endswith("SA: card held by both F and M")
            continue
        value = solver.value(Deal(text), row["contract"])
        assert row["deal"] == text
        assert tuple(row[f"guaranteed_{seat}"] for seat in "FMR") == value.guaranteed
        par = value.par if value.has_points else (None, None, None)
        assert tuple(row[f"par_{seat}"] for seat in "FMR") == par
        assert (row["slack"], row["exact"], row["error"]) == (value.slack, True, None)
    assert len(rows) == 40 * 6 + 1


def read_back(path: Path) -> list[dict[str, object]]:
    """The rows of any file of a batch, by the schema."""
    schema = solve_schema()
    if path.suffix == ".npz":
        return [dict(zip(schema.names, cells, strict=True)) for cells in Numpy(schema).read(str(path), schema.names)]
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq

        table = pq.read_table(path)
        assert table.schema.metadata[b"schema"].decode() == VERSION
        return table.to_pylist()
    if path.suffix == ".csv":
        import csv

        from mizerka_solver.batches.schema import PARSERS

        kinds = {column.name: PARSERS[column.type] for column in schema.columns}
        with path.open() as file:
            return [{k: kinds[k](v) if v else None for k, v in row.items()} for row in csv.DictReader(file)]
    found = []
    for number, data in enumerate(objects(path.read_text()), start=1):
        for contract, value in data.get("contracts", {"": None}).items():
            row = dict.fromkeys(schema.names) | {"record": number, "error": data.get("error")}
            if value:
                row |= {"deal": data["deal"], "contract": contract, "slack": value["slack"], "exact": True}
                row |= {f"guaranteed_{seat}": n for seat, n in value["guaranteed"].items()}
                row |= {f"par_{seat}": n for seat, n in (value["points"]["par"] or {}).items()}
            found.append(row)
    return found


def test_numpy_types(deals: Path) -> None:
    with np.load(written(deals, "npz")) as file:
        assert str(file["schema"]) == f"{VERSION} solve"
        kinds = {column.name: column.type for column in solve_schema().columns}
        for name in solve_schema().names:
            assert file[name].dtype.kind == "U" if kinds[name] == "string" else file[name].dtype == kinds[name]


@pytest.mark.parametrize("library", ["pandas", "polars", "duckdb"])
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_other_libraries_read_them(library: str, suffix: str, deals: Path) -> None:
    pytest.importorskip(library)
    pytest.importorskip("pyarrow")
    path = written(deals, suffix)
    expected = [(row["record"], row["contract"], row["par_R"]) for row in read_back(path) if row["deal"]]
    if library == "pandas":
        import pandas

        frame = pandas.read_csv(path) if suffix == "csv" else pandas.read_parquet(path)
        frame = frame[frame["error"].isna()]
        columns = frame[["record", "contract", "par_R"]].astype(object)
        found = list(columns.where(columns.notna(), None).itertuples(index=False, name=None))
    elif library == "polars":
        import polars

        table = polars.read_csv(path) if suffix == "csv" else polars.read_parquet(path)
        found = table.filter(polars.col("error").is_null()).select("record", "contract", "par_R").rows()
    else:
        import duckdb

        query = f"select record, contract, par_R from '{path}' where error is null order by record"
        found = duckdb.sql(query).fetchall()
        expected, found = sorted(expected), sorted(found)
    assert found == expected


def test_exchange_and_analyse_write_columns_too(tmp_path: Path) -> None:
    path = tmp_path / "exchange.npz"
    run("exchange", SECOND, "-c", "N", "-o", str(path))
    (best, *_) = Numpy(exchange_schema()).read(str(path), exchange_schema().names)
    row = dict(zip(exchange_schema().names, best, strict=True))
    assert (row["deal"], row["contract"], row["seat"], row["discard"]) == (SECOND, "N", "F", None)
    run("exchange", SECOND, "-c", "N", "-o", str(path), "--resume")
    record = GameRecord(("a", "b", "c"), Deal(SMALL), Contract.S, play=Deal(SMALL).position("S").legal_cards()[:1])
    path = tmp_path / "cards.npz"
    shown = run("analyse", record.to_json(), "-o", str(path)).stdout
    assert "Summary" in shown or "points" in shown
    (row_of_card,) = Numpy(review_schema()).read(str(path), ("record", "player", "card", "cost"))
    assert row_of_card[:2] == (1, "a")


# Resuming


@pytest.mark.parametrize("suffix", ["jsonl", "csv"])
def test_a_text_cut_anywhere_is_completed(suffix: str, deals: Path) -> None:
    expected = written(deals, suffix).read_bytes()
    path = deals.parent / f"cut.{suffix}"
    chance = random.Random(suffix)
    for n_bytes in [0, 1, len(expected) - 1, len(expected), *chance.sample(range(len(expected)), 12)]:
        path.write_bytes(expected[:n_bytes])
        run("solve", str(deals), "-o", str(path), "--resume", "-t", "2", code=3)
        assert path.read_bytes() == expected


@pytest.mark.parametrize("suffix", [name for name in FORMATS if name not in ("jsonl", "csv")])
def test_parts_of_any_size_make_the_same_file(
    suffix: str, deals: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    expected = written(deals, suffix).read_bytes()
    path = tmp_path / f"parts.{suffix}"
    monkeypatch.setattr("mizerka_solver.batches.columns.PART_ROWS", 20)
    for n in (1, 13, 30, 41):
        monkeypatch.setattr("mizerka_solver.batches.columns.Parts.finish", broken_off)
        few = tmp_path / deals.name
        lines = few.read_text().splitlines()
        few.write_text("\n".join(lines[:n]) + "\n")
        run("solve", str(few), "-o", str(path), "--resume", code=3 if n > 20 else 0)
        assert not path.exists()
        few.write_text("\n".join(lines) + "\n")
    monkeypatch.undo()
    assert len(list((tmp_path / f"{path.name}.parts").iterdir())) > 5
    assert "go on with --resume" in run("solve", str(deals), "-o", str(path), code=2).stderr
    run("solve", str(deals), "-o", str(path), "--resume", code=3)
    assert path.read_bytes() == expected
    assert not (tmp_path / f"{path.name}.parts").exists()
    # A file that is finished is begun again where the input has grown.
    deals.write_text(deals.read_text() + SMALL + "\n")
    run("solve", str(deals), "-o", str(path), "--resume", code=3)
    assert path.read_bytes() == written(deals, suffix).read_bytes() != expected


def broken_off(parts: Parts, save: object) -> None:
    """What a killed run does at its end: nothing but its last part."""
    parts.flush()


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_file_of_another_run_is_left_alone(suffix: str, deals: Path) -> None:
    path = written(deals, suffix)
    before = path.read_bytes()
    other = deals.parent / "other.txt"
    other.write_text("".join(reversed(deals.read_text().splitlines(keepends=True))))
    fewer = deals.parent / "fewer.txt"
    fewer.write_text("".join(deals.read_text().splitlines(keepends=True)[:30]))
    for arguments in ([str(other)], [str(fewer)], [str(deals), "-c", "N"], [str(deals), "--leader", "M"]):
        result = run("solve", *arguments, "-o", str(path), "--resume", code=2)
        assert f"-o {path}: can't be resumed, it is the file of another run: " in result.stderr.splitlines()[-1]
        assert path.read_bytes() == before
    path.write_text("notes of mine\n")
    assert "another run" in run("solve", str(deals), "-o", str(path), "--resume", code=2).stderr
    assert path.read_text() == "notes of mine\n"
    assert sorted(os.listdir(deals.parent)) == sorted(["deals.txt", "other.txt", "fewer.txt", path.name])


def test_what_resume_goes_with(deals: Path) -> None:
    for arguments in ([], ["-o", "x.txt"], ["-o", "x.csv", "--csv"], ["-o", "x.jsonl", "--unordered"]):
        assert "--resume " in run("solve", str(deals), "--resume", *arguments, code=2).stderr
    for option in ("--json", "--csv"):
        assert "is no place for" in run("solve", str(deals), "-o", "x.npz", option, code=2).stderr
    assert not Path("x.npz").exists()


# What goes wrong


@posix
@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_one_line(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"full.{suffix}"
    path.symlink_to("/dev/full")
    result = run("solve", SMALL, "-o", str(path), code=2)
    assert result.stderr.splitlines()[-1] == f"Error: {path}: No space left on device"
    assert os.readlink(path) == "/dev/full"


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_batch_file_is_no_input(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"deals.{suffix}"
    path.write_text(f"{SMALL}\n")
    assert "is also an input" in run("solve", str(path), "-o", str(path), code=2).stderr
    assert path.read_text() == f"{SMALL}\n"
    assert os.listdir(tmp_path) == [path.name]


def test_missing_packages_are_named_before_any_work(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("mizerka_solver.batches.backends.find_spec", lambda name: None)
    for kind, name in (("loky", "joblib"), ("dask", "distributed")):
        with pytest.raises(MizerkaError, match=f"needs the package {name}.*\\[cluster\\]"):
            Backend(kind)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    error = run("solve", SMALL, "-o", str(tmp_path / "x.parquet"), code=2).stderr
    assert "needs pyarrow" in error
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "arguments", [{"kind": "mpi"}, {"address": "tcp://x:1"}, {"threads": 0}, {"memory": "x"}, {"table_memory": "1K"}]
)
def test_bad_backends(arguments: dict[str, object]) -> None:
    with pytest.raises(MizerkaError):
        list(Backend(**arguments).run(lambda solver, n: n, [1]))  # type: ignore[arg-type]


def test_memory_is_for_all_threads_together() -> None:
    backend = Backend(threads=4, memory="8M")
    seen = set(backend.run(lambda solver, n: repr(solver), range(9)))
    assert seen == {repr(Solver(1, "2M"))}
    assert list(backend.run(lambda solver, n: repr(solver), [0], alone=True)) == [repr(Solver(4, "8M"))]
    few = Backend(threads=4, memory="2M")
    assert set(few.run(lambda solver, n: repr(solver), range(9))) == {repr(Solver(1, "1M"))}
    assert (few.n_workers, len(few.solvers)) == (2, 2)


# Progress


def test_progress_for_programs(deals: Path) -> None:
    out = deals.parent / "o.jsonl"
    lines = objects(
        run("solve", str(deals), "-c", "N", "-o", str(out), "--json-progress", code=3).stderr.split("\n", 1)[1]
    )
    assert {key: lines[-1][key] for key in ("unit", "done", "total", "seconds_left")} == {
        "unit": "deals",
        "done": 41,
        "total": 41,
        "seconds_left": 0,
    }
    assert lines[-1]["rate"] > 0
    again = run("solve", str(deals), "-c", "N", "-o", str(out), "--json-progress", "--resume", code=3)
    (line,) = objects(again.stderr)
    assert (line["done"], line["rate"]) == (41, None)


def test_large_files_are_counted_by_a_part(deals: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mizerka_solver.cli.sources import count_file

    assert count_file(str(deals)) == 41
    monkeypatch.setattr("mizerka_solver.cli.sources.COUNTED_BYTES", 300)
    assert 30 <= (count_file(str(deals)) or 0) <= 55
    deals.write_bytes(gzip.compress(deals.read_bytes()))
    assert count_file(str(deals)) is None


# Slow


# The command, its parts small and its answers slow enough to be killed among them.
SLOWER = """
import sys, time
from mizerka_solver.batches import columns
from mizerka_solver.cli import batches, main, solve
columns.PART_ROWS, ask = 30, batches.Ask.__call__
batches.Ask.__call__ = lambda *arguments: (time.sleep(0.003), ask(*arguments))[1]
print("begun", flush=True)
main.cli.main(sys.argv[1:])
"""


@pytest.mark.parametrize("suffix", FORMATS)
def test_contracts_are_resumed(suffix: str, tmp_path: Path) -> None:
    """What was done for the first lines is kept; a faulty line has its error in its place."""
    lines = ["AKQ9.A.-.4", "AKQ9.A.-.", '{"hand":"2345.6.7.-","remaining":"NS"}', "AK.32.4.5"]
    six, path = tmp_path / "six.txt", tmp_path / f"c.{suffix}"
    asked = ["contract", str(six), "--samples", "1", "--seed", "1", "--remaining", "SN", "-o", str(path)]
    six.write_text("\n".join(lines))
    assert "six.txt:2: hand AKQ9.A.-.-: forehand sees 6 cards" in run(*asked, code=3).stderr
    whole = path.read_bytes()
    path.unlink()
    six.write_text("\n".join(lines[:2]))
    run(*asked, code=3)
    six.write_text("\n".join(lines))
    run(*asked, "--resume", "-t", "2", code=3)
    assert path.read_bytes() == whole
    six.write_text("\n".join(lines[::-1]))
    assert "of another run" in run(*asked, "--resume", code=2).stderr
    assert path.read_bytes() == whole


# numpy leaves it to the collector of garbage to close what it could not read.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("suffix", [name for name in FORMATS if name not in ("jsonl", "csv")])
def test_a_damaged_file_is_one_line(suffix: str, deals: Path) -> None:
    """Whatever byte is wrong: it is left as it is, or it is no matter."""
    path, chance = written(deals, suffix), random.Random(suffix)
    whole = path.read_bytes()
    refused = 0
    for _ in range(60):
        wrong = bytearray(whole)
        wrong[chance.randrange(len(wrong))] ^= chance.randrange(1, 256)
        path.write_bytes(wrong)
        result = CliRunner().invoke(cli, ["solve", str(deals), "-o", str(path), "--resume"])
        assert path.read_bytes() == wrong
        if result.exit_code == 2:
            refused += 1
            assert "of another run" in result.stderr.splitlines()[-1]
        else:
            assert result.exit_code == 3
    assert refused


@pytest.mark.parametrize("suffix", FORMATS)
def test_reviews_are_resumed(suffix: str, tmp_path: Path) -> None:
    """A game without a card and one that is faulty are records too; the summary is of the new ones."""
    deal = Deal(SMALL)
    games = [
        GameRecord(("a", "b", "c"), deal, contract, play=deal.position(contract).legal_cards()[:n]).to_json()
        for contract, n in ((Contract.S, 1), (Contract.N, 0), (Contract.N, 1))
    ]
    lines, path = [*games, BAD, games[0]], tmp_path / f"cards.{suffix}"
    source = tmp_path / "games.jsonl"
    source.write_text("\n".join(lines))
    asked = ["analyse", str(source), "-o", str(path)]
    assert "a  " in run(*asked, code=3).stdout
    whole = path.read_bytes()
    path.unlink()
    source.write_text("\n".join(lines[:3]))
    run(*asked)
    source.write_text("\n".join(lines))
    told = run(*asked, "--resume", code=3)
    assert path.read_bytes() == whole
    n_kept = 2 if suffix == "csv" else 3  # of whose last record nobody knows if it is whole
    assert f"Not in the summary: {n_kept} records that {path} had before." in told.stderr
    assert "of another run" in run(*asked, "--resume", "--equilibria", code=2).stderr
    assert "--resume goes without" in run(*asked, "--resume", "--summary", code=2).stderr
    if suffix not in ("jsonl", "csv"):
        assert "is for records" in run(*asked, "--summary", code=2).stderr
    assert path.read_bytes() == whole


@pytest.mark.parametrize("name", ["v.parquet.ZST", "v.gz", "v.npz.gz"])
def test_only_texts_are_compressed(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    assert "only records are compressed" in run("solve", SMALL, "-o", str(path), code=2).stderr
    assert not path.exists()


@pytest.mark.parametrize("suffix", ["jsonl.gz", "csv.gz", "jsonl.zst"])
def test_compressed_answers_are_resumed(suffix: str, deals: Path, tmp_path: Path) -> None:
    """The text is that of the plain file; what is cut off or finished is gone on with, another run's left alone."""
    if suffix.endswith("zst"):
        pytest.importorskip("zstandard")
    path, part = tmp_path / f"v.{suffix}", tmp_path / f"v.part.{suffix.split('.')[0]}"
    plain = written(deals, suffix.split(".")[0]).read_bytes()
    run("solve", str(deals), "-o", str(path), code=3)
    whole = path.read_bytes()
    assert decompressed(io.BytesIO(whole), "v").read() == plain
    assert not part.exists()
    assert "of another run" in run("solve", str(deals), "-c", "N", "-o", str(path), "--resume", code=2).stderr
    assert path.read_bytes() == whole
    assert not part.exists()
    path.unlink()
    part.write_bytes(plain[: len(plain) * 2 // 3])
    assert "go on with --resume" in run("solve", str(deals), "-o", str(path), code=2).stderr
    run("solve", str(deals), "-o", str(path), "--resume", code=3)
    assert path.read_bytes() == whole
    assert not part.exists()
    few = tmp_path / "few.txt"
    few.write_text("".join(deals.read_text().splitlines(keepends=True)[:3]))
    run("solve", str(few), "-o", str(path))
    run("solve", str(deals), "-o", str(path), "--resume", code=3)
    assert path.read_bytes() == whole


@posix
@pytest.mark.slow
@pytest.mark.parametrize("suffix", FORMATS)
def test_killed_at_any_moment_and_resumed(suffix: str, deals: Path) -> None:
    """Fifty times a format: a run killed at a random moment, maybe several times, ends in the same bytes."""
    expected = written(deals, suffix).read_bytes()
    chance = random.Random(suffix)
    path, kills = deals.parent / f"k.{suffix}", 0
    while kills < 50:
        arguments = ["solve", str(deals), "-o", str(path), "--resume", "-t", "2"]
        work = subprocess.Popen(
            [sys.executable, "-c", SLOWER, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        assert work.stdout is not None
        work.stdout.readline()
        try:
            work.wait(chance.random() * 0.35)
        except subprocess.TimeoutExpired:
            work.send_signal(signal.SIGKILL)
            kills += 1
        work.communicate()
        if work.returncode != -signal.SIGKILL:
            assert path.read_bytes() == expected
            path.unlink()
    run("solve", str(deals), "-o", str(path), "--resume", code=3)
    assert path.read_bytes() == expected


@pytest.mark.parametrize(
    "schema",
    [solve_schema(), solve_schema(cards=True), exchange_schema(), review_schema(), contract_schema()],
    ids=lambda each: each.kind,
)
def test_the_columns_are_documented(schema: Schema) -> None:
    assert "\n".join(schema_table(schema)) in (ROOT / "docs" / "batches.md").read_text(encoding="utf-8")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_soak_of_20_000_deals_does_not_grow(tmp_path: Path) -> None:
    """From the first fifth to the end of a stream the process takes no more memory; limit and constant hold."""
    deals, n_deals, limit = tmp_path / "deals.txt", 20_000, 32
    run("deal", "-n", str(n_deals), "--seed", "1", "--hand-size", "6", "-o", str(deals))
    sizes: list[int] = []
    with start("solve", str(deals), "-c", "SN", "-t", "2", "--memory", f"{limit}M", "--json", "--no-progress") as work:
        assert work.stdout is not None
        for number, line in enumerate(work.stdout, start=1):
            assert line.startswith(b'{"deal":')
            if number % 2_000 == 0 and number < n_deals:
                status = Path(f"/proc/{work.pid}/status").read_text()
                sizes.append(int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0]))
    assert work.returncode == 0
    assert number == n_deals
    assert max(sizes) < (limit + 64) * 1024
    assert max(sizes[2:]) - sizes[1] < 4 * 1024, sizes
