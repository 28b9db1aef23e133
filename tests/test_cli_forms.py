"""What one command writes every other reads: text, tables, JSON Lines, CSV; deals over several lines in files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli import POSITION, SMALL, objects, run

EXCHANGED = "F:AK2.-.-.- M:QJ3.-.-.- R:-.AK4.-.- T:S9HQD2"
RECORD = (
    '{"format":"mizerka-game/1","players":{"F":"a","M":"b","R":"c"},"deal":"F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.-",'
    '"contract":"N","play":[]}'
)


def read_back(text: str) -> list[str]:
    """The deals and positions `convert` finds in a text, in the standard spelling."""
    return run("convert", "-", stdin=text).stdout.splitlines()


@pytest.mark.parametrize("form", [[], ["--json"], ["--csv"]], ids=["table", "json", "csv"])
@pytest.mark.parametrize("subject", [SMALL, POSITION, EXCHANGED])
def test_what_solve_writes_is_read(subject: str, form: list[str]) -> None:
    assert read_back(run("solve", subject, *form).stdout) == [subject]


@pytest.mark.parametrize("form", [[], ["--json"], ["--csv"]], ids=["table", "json", "csv"])
def test_what_exchange_writes_is_read(form: list[str]) -> None:
    assert read_back(run("exchange", EXCHANGED, "-c", "N", *form).stdout) == [EXCHANGED]


def test_many_tables_one_after_the_other_are_read() -> None:
    deals = run("deal", "-n", "3", "--seed", "7", "--hand-size", "4").stdout
    tables = run("solve", "-", stdin=deals).stdout
    assert read_back(tables) == deals.splitlines()
    # A deal behind a table is a deal of its own, unless it is the table's once more.
    assert read_back(tables + deals.splitlines()[-1]) == deals.splitlines()
    assert read_back(tables + SMALL) == [*deals.splitlines(), SMALL]


@pytest.mark.parametrize(
    "arguments", [["deal", "-n", "3", "--seed", "7"], ["deal", "-n", "3", "--seed", "7", "--preview"]]
)
def test_deals_have_all_forms(arguments: list[str]) -> None:
    deals = run(*arguments).stdout.splitlines()
    assert read_back(run(*arguments, "--json").stdout) == deals
    assert read_back(run(*arguments, "--csv").stdout) == deals
    assert (" P:" in deals[0]) == ("--preview" in arguments)


def test_a_preview_is_marked_and_changes_no_card() -> None:
    plain = run("deal", "--seed", "7").stdout.strip()
    marked = run("deal", "--seed", "7", "--preview").stdout.strip()
    assert marked == f"{plain} P:3.63.AJ.3"
    assert objects(run("solve", marked, "-c", "N", "--json").stdout)[0]["deal"] == marked


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize(
    "rows",
    [
        ["F,M,R,T", "AK...,Q2...,.AK..,"],
        ["id,r,m,f", "7,-.AK.-.-,Q2.-.-.-,AK.-.-.-"],
        ["deal", SMALL],
        ["Number,Deal,Note", f"1,{SMALL},good"],
        ["deal,contract,points", f"{SMALL},S,1", f"{SMALL},N,2"],
    ],
    ids=lambda rows: rows[0],
)
def test_csv_of_any_kind(rows: list[str], separator: str) -> None:
    text = "".join(row.replace(",", separator) + "\n" for row in rows)
    assert read_back(text) == [SMALL]
    assert read_back(text.replace("\n", "\r\n")) == [SMALL]
    assert [row["deal"] for row in objects(run("solve", "-", "-c", "N", "--json", stdin=text).stdout)] == [SMALL]


def test_rows_of_one_deal_are_several_without_a_contract() -> None:
    assert read_back(f"deal,note\n{SMALL},a\n{SMALL},b\n") == [SMALL, SMALL]


def test_faults_in_rows_say_where() -> None:
    text = f'deal,note\n{SMALL}\n{SMALL},a\n,b\nF:AK... M:AQ... R:.AK..,c\n"F:A,d\n'
    result = run("convert", "-", stdin=text, code=3)
    assert result.stdout.splitlines() == [SMALL]
    places = [line.split(": ")[0] for line in result.stderr.splitlines()]
    assert places == ["<stdin>:2", "<stdin>:4", "<stdin>:5", "<stdin>:6"]
    assert "the header has 2 columns, the row 1" in result.stderr
    assert "no deal in the row" in result.stderr
    assert "SA: card held by both F and M" in result.stderr


def test_records_and_answers_are_deals_to_all() -> None:
    assert read_back(RECORD) == [SMALL]
    assert objects(run("solve", "-", "-c", "N", "--json", stdin=RECORD).stdout)[0]["deal"] == SMALL
    failed = run("convert", "-", stdin='{"error":"x:1: no","line":1}\n', code=3)
    assert failed.stderr == "<stdin>:1: error 'x:1: no': the line has an error instead of a deal\n"


def test_deals_over_several_lines_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mail.txt"
    path.write_text(
        "# from a mail\nF: ♠AK\n# a comment is no blank line\nM: ♠Q2\nR: ♥AK\n"
        "F: ♠AK\nM: ♠K2\nR: ♥AK\n\n♠AK\n♠Q2\n♥AK\n♠AK\n♠Q2\n♥AK\nTalon: ♣4\nF: ♠AK\nM: ♠Q2\nhello\n",
        encoding="utf-8",
    )
    result = run("convert", str(path), code=3)
    assert result.stdout.splitlines() == [SMALL, SMALL, f"{SMALL} T:C4"]
    first, second, third = result.stderr.splitlines()
    assert first.startswith(f"{path}:6: SK: card held by both F and M; read as F:AK.-.-.- M:K2.-.-.- R:-.AK.-.-")
    assert second.startswith(f"{path}:17: R '': expected R:<hand>")
    assert third.startswith(f"{path}:19: ")
    assert "hello" in third


def test_a_literal_of_several_lines_is_one_deal() -> None:
    text = "F: ♠AK\nM: ♠Q2\nR: ♥AK"
    assert run("solve", text, "-c", "N", "--json").stdout == run("solve", SMALL, "-c", "N", "--json").stdout
    assert run("solve", text, "-c", "N").stdout.startswith("Deal, F leads")  # no label
    bad = run("solve", text.replace("Q2", "A2"), code=2)
    assert bad.stderr.splitlines()[-1].startswith("Error: SA: card held by both F and M; read as ")


@pytest.mark.parametrize("text", ["♠AK ♥3 / ♠Q2 ♥A / ♥K4 ♣2", "AK.3../Q2.A../.K4..2", "AK.3.. Q2.A.. .K4..2"])
def test_literals_without_seats(text: str) -> None:
    assert run("convert", text).stdout.strip() == "F:AK.3.-.- M:Q2.A.-.- R:-.K4.-.2"


def test_validate_explains() -> None:
    lines = run("validate", "--explain", "F: ♠AK ♥3  M: ♠Q2 ♥A  R: ♥AK4", code=3).stdout.splitlines()
    assert lines[1:] == [
        "  read as  F:AK.3.-.- M:Q2.A.-.- R:-.AK4.-.-",
        "  cards    F 3, M 3, R 3, talon 0",
        "  twice    HA (M, R)",
        "1 record: faulty",
    ]
    full = run("deal", "--seed", "7").stdout.strip()
    (found,) = objects(run("validate", "--explain", "--json", full.replace("M:QT52", "M:JT52"), code=3).stdout)
    assert found["understood"]["missing"] == ["SQ"]
    assert found["understood"]["twice"] == ["SJ (F, M)"]
    assert "argument 1:1: deal, sound" in run("validate", "--explain", full).stdout
    # What can't be understood at all, and what is JSON.
    assert run("validate", "--explain", "F: hello", code=3).stdout.splitlines()[-1] == "1 record: faulty"
    assert "read as  F:AK" in run("validate", "--explain", RECORD).stdout


# Nothing raw, nothing endless, nothing half read


@pytest.mark.parametrize("bad", ["\x1b[31mF: ♠A", "F:A\x07... M:K... R:Q...", "F:A... M:K... R:Q... T:S\x002", "\x7f"])
@pytest.mark.parametrize("command", ["solve", "convert", "validate"])
def test_control_characters_are_never_printed_raw(command: str, bad: str) -> None:
    result = run(command, "-", stdin=f"{bad}\n", code=3)
    assert all(line.isprintable() for line in result.output.splitlines())
    literal = run(command, f"{bad} x", code=2)
    assert all(line.isprintable() for line in literal.output.splitlines())


@pytest.mark.parametrize("text", ["A" * 60_000, "♠" * 60_000, "F:" + "A" * 60_000, '{"deal":"' + "x" * 60_000 + '"}'])
def test_long_refusals_are_not_echoed(text: str) -> None:
    assert len(run("convert", text, code=2).output) < 600
    assert len(run("convert", "-", stdin=text, code=3).output) < 600


@pytest.mark.parametrize(
    "text",
    [
        "F:A... M:K... R:Q... N F - 1_0-0-0",
        "F:A... M:K... R:Q... N F - ٣-0-0",
        "F:A... M:K... R:Q... N F - 0-0-0,",
        "F:٩... M:K... R:Q...",
        "F:A,... M:K... R:Q...",
        "F: ♠A, M: ♠K, R: ♠Q,",
        "F:A... M:K... R:Q... T:S2,",
        "F:A... M:K... R:Q... N F - " + "9" * 4301 + "-0-0",
        RECORD.replace('"play"', '"id":' + "9" * 4301 + ',"play"'),
        RECORD.replace('"play":[]', '"play":[],"tricks":[' + "9" * 4299 + ",0,0]"),
    ],
    ids=lambda text: text[:40],
)
def test_odd_numbers_and_trailing_commas_are_one_line(text: str) -> None:
    (line,) = run("convert", "-", stdin=text, code=3).stderr.splitlines()
    assert line.startswith("<stdin>:1: ")
    assert len(line) < 400
