"""The conformance kit finds what is planted, says which rule it is, and leaves no process behind."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from io import StringIO
from pathlib import Path

import pytest

from mizerka_solver import MIZERKA, Card, Contract, Deal, GameRecord, Hand, MizerkaError, Position
from mizerka_solver.cli.status import status_line
from mizerka_solver.game.rules import Variant
from mizerka_solver.support.complaints import telling_line
from mizerka_solver.testing import ProgramAdapter, Report, RulesCheck, RulesReport, check_rules
from mizerka_solver.testing import diagnosis as d
from mizerka_solver.testing.adapter import IN_TIME, ONE_LINE, STAYS
from mizerka_solver.testing.referee import DifferenceFound, Referee, Run
from mizerka_solver.testing.shrinking import MAX_QUESTIONS, Shrinker
from tests.cli import ROOT, objects, run, start
from tests.toy_rules import Toy

SMALL = Variant(4, 2, (3, 1, 0), (0, 1, 3))
LED = (d.HIGHEST_LED, d.NO_TRUMP)
MISTAKES: dict[str, tuple[str, ...]] = {
    "no duty to follow": (d.FOLLOW,),
    "no duty after a void": (d.FOLLOW,),
    "revoke accepted": (d.FOLLOW,),
    "any card accepted": (d.IN_HAND, d.FOLLOW),
    "played cards stay": (d.IN_HAND,),
    "duty to trump": (d.NO_DUTY_TO_TRUMP,),
    "duty to overtake": (d.NO_DUTY_TO_OVERTAKE,),
    "trump may not be led": (d.LEAD_FREE,),
    "leader leads again": (d.LEADER,),
    "anticlockwise": (d.TURN,),
    "trump does not beat": (d.HIGHEST_TRUMP,),
    "ten ranks below nine": (d.HIGHEST_TRUMP, *LED),
    "winner by rank alone": LED,
    "hearts are trump in mizerka": (d.NO_TRUMP,),
    "last trick not counted": (d.LAST_TRICK,),
    "mizerka targets unreversed": (d.REVERSED,),
    "mizerka targets 1 5 6": (d.REVERSED,),
    "targets 7 5 3": (d.NOT_REVERSED,),
    "mizerka scored like no trump": (d.REVERSED,),
    "middlehand and rearhand swapped": (d.SWAPPED,),
    "points not zero-sum": (d.ZERO_SUM,),
    "totals by seat": (d.TOTALS,),
    "exchange beyond the talon": (d.TALON_LIMIT,),
    "drawn cards discarded again": (d.DRAWN_AGAIN,),
    "second exchange": (d.EXCHANGE_ORDER, d.DRAWN_AGAIN),
    "exchange in any order": (d.EXCHANGE_ORDER,),
    "at most two": (d.EXCHANGE_FREE,),
    "a discard counts twice": (d.NOT_HELD,),
    "discards return": (d.DISCARDS_BACK,),
    "discards stay": (d.IN_HAND,),
    "drawn from the bottom": (d.DRAWS,),
    "drawn from the next hand": (d.DRAWN_HELD,),
    "contract named twice": (d.NAMED_TWICE,),
    "named by anyone": (d.NAME_FREE,),
    "deal passes right": (d.ROTATION,),
    "same dealer": (d.ROTATION,),
    "dealer is forehand": (d.ROTATION,),
    "nineteen deals": (d.GAME_OVER,),
    "undo forgets the leader": (d.UNDO,),
}


# What needs a whole deal (39 cards) or game is no shorter; the rest shows in a trick or two, once it is looked for.
WHOLE_DEAL = {d.LAST_TRICK, d.REVERSED, d.NOT_REVERSED, d.SWAPPED, d.ZERO_SUM, d.TOTALS, d.ROTATION, d.NAME_FREE}
WHOLE_GAME = {d.NAMED_TWICE, d.GAME_OVER}
SHORTEST = {"no duty after a void": 21}
DISCARDS = {"at most two": 3, "drawn from the bottom": 1, "drawn from the next hand": 1, "discards stay": 1}


def program(mistake: str = "", timeout: float = 10.0) -> ProgramAdapter:
    """The toy as another process."""
    return ProgramAdapter(f"cmd:{sys.executable} -m tests.toy_rules '{mistake}'", timeout)


@pytest.fixture(autouse=True)
def _in_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_every_mistake_of_the_toy_is_expected_here() -> None:
    source = (ROOT / "tests" / "toy_rules.py").read_text()
    assert set(re.findall(r'mistake [!=]= "([^"]+)"', source)) == {*MISTAKES, "crash", "hang", "garbage"}
    sentences = {value for name, value in vars(d).items() if name.isupper() and isinstance(value, str)}
    assert all(re.fullmatch(r"[A-Z][^.\n]*\.", sentence) for sentence in sentences)


@pytest.mark.parametrize("mistake", [name for name in MISTAKES if WHOLE_GAME & set(MISTAKES[name])])
def test_mistakes_of_a_whole_game_are_found_and_named(mistake: str) -> None:
    report = check_rules(Toy(mistake, SMALL.targets), examples=60, variant=SMALL, talon_size=5, shrink=False)
    assert report.difference is not None
    assert report.difference.rule in MISTAKES[mistake]
    assert report.difference.is_steady


@pytest.mark.parametrize("mistake", [name for name in MISTAKES if not WHOLE_GAME & set(MISTAKES[name])])
def test_planted_mistakes_come_out_short(mistake: str) -> None:
    found = check_rules(Toy(mistake), examples=100).difference
    assert found is not None
    assert found.rule in MISTAKES[mistake]
    deals, cards, discards = found.length
    assert deals <= 1
    if not WHOLE_DEAL & set(MISTAKES[mistake]):
        assert cards <= SHORTEST.get(mistake, 3)
    if mistake in DISCARDS:  # as few as show it, and the record has them
        assert discards == DISCARDS[mistake]
        assert found.records[-1].exchange[0]


@pytest.mark.slow
@pytest.mark.parametrize("mistake", [name for name in MISTAKES if WHOLE_GAME & set(MISTAKES[name])])
def test_mistakes_of_a_whole_game_come_out_short(mistake: str) -> None:
    found = check_rules(Toy(mistake), examples=200, time_limit=600.0).difference
    assert found is not None
    assert found.rule in MISTAKES[mistake]
    assert found.length[0] <= (18 if found.rule == d.GAME_OVER else 6)


def test_shrinking_asks_little_and_tells_how_far_it_is() -> None:
    told: list[str] = []
    plain = check_rules(Toy("trump does not beat"), examples=20, shrink=False)
    report = check_rules(Toy("trump does not beat"), examples=20, progress=told.append)
    assert report.n_asked - plain.n_asked <= MAX_QUESTIONS + 100
    assert told[0].startswith("1 games")
    assert re.fullmatch(r"shrinking, try \d+: \d+ cards played, \d+ exchanged", told[-1])


def test_a_query_and_options_are_one_or_the_other() -> None:
    check = RulesCheck(examples=5, variant=SMALL, talon_size=5)
    toy = Toy(targets=SMALL.targets)
    assert check_rules(toy, check).n_asked == check_rules(toy, examples=5, variant=SMALL, talon_size=5).n_asked
    with pytest.raises(TypeError, match="not both"):
        check_rules(toy, check, seed=1)
    with pytest.raises(TypeError, match="colour"):
        check_rules(toy, colour="red")


def test_sound_rules_conform() -> None:
    report = check_rules(Toy(), examples=10)
    assert report.conforms, report
    assert report.is_complete
    assert report.n_deals > 20
    assert report.not_offered == ()
    assert "No difference" in str(report)
    assert isinstance(report, RulesReport)
    assert Report is RulesReport
    assert check_rules(Toy(targets=SMALL.targets), examples=10, variant=SMALL, talon_size=0).conforms


def test_the_same_seed_asks_the_same() -> None:
    options = {"examples": 5, "variant": SMALL, "talon_size": 5}
    counts = [check_rules(Toy(targets=SMALL.targets), seed=seed, **options).n_asked for seed in (1, 1, 2)]
    assert counts[0] == counts[1] != counts[2]


def test_a_difference_reads_well_and_can_be_replayed() -> None:
    found = check_rules(Toy("leader leads again"), examples=20).difference
    assert found is not None
    text = str(found).splitlines()
    assert text[0] == "The winner of a trick leads to the next one."
    assert text[1].split() == ["asked", "legal", "cards", "of", "R"]
    assert Position(text[4].split(maxsplit=1)[1]) == found.position
    record = GameRecord.from_json(text[5].split(maxsplit=1)[1])
    assert len(record.play) == 3
    assert record.final_position == found.position


def test_a_record_needs_no_exchange_it_can_do_without() -> None:
    whole = Run(Toy("winner by rank alone"), MIZERKA, 13, time.monotonic() + 600)
    suits = (".".join("AKQJT98765432" if place == suit else "-" for place in range(4)) for suit in range(4))
    hands = [Hand(suit) for suit in suits]
    referee = Referee(whole, 2)
    referee.take("deal", Deal.from_hands(hands[:3], hands[3]))
    referee.take("name", Contract.N)
    for discards in ((Card("S3"), Card("S4")), (Card("H3"),), ()):
        referee.take("exchange", discards)
    for card in ("S2", "HA"):
        referee.take("check_legal")
        referee.take("play", Card(card))
    with pytest.raises(DifferenceFound) as caught:
        referee.take("play", Card("D2"))
    assert caught.value.difference.length == (1, 3, 3)
    Shrinker(whole).shrink()
    assert whole.best is not None
    assert whole.best.length == (1, 3, 0)
    assert whole.best.rule == caught.value.difference.rule
    assert "check_legal" not in [op.method for op in whole.way]
    assert len(whole.best.records) == 1


def test_what_is_not_offered_is_said() -> None:
    class Plain:
        def __init__(self) -> None:
            self.toy = Toy()

        def __getattr__(self, name: str) -> object:
            if name in ("undo", "totals"):
                raise AttributeError(name)
            return getattr(self.toy, name)

    report = check_rules(Plain(), examples=10)  # type: ignore[arg-type]
    assert report.conforms
    assert report.not_offered == ("totals", "undo")
    assert "not tested: totals, undo" in str(report)


def test_a_program_that_changes_its_mind_is_told_so() -> None:
    class Fickle(Toy):
        n_games = 0

        def new_game(self, dealer: int) -> None:
            super().new_game(dealer)
            self.n_games += 1
            self.mistake = "winner by rank alone" if self.n_games == 12 else ""

    found = check_rules(Fickle(), examples=30).difference
    assert found is None or not found.is_steady


@pytest.mark.parametrize(
    ("broken", "rule"),
    [(lambda: 1 // 0, STAYS), (lambda: "SA", ONE_LINE), (lambda: ["S1"], ONE_LINE), (lambda: None, ONE_LINE)],
)
def test_broken_python_adapters_are_differences(broken: object, rule: str) -> None:
    toy = Toy()
    toy.legal_cards = broken  # type: ignore[assignment, method-assign]
    found = check_rules(toy, examples=3).difference
    assert found is not None
    assert found.rule == rule


@pytest.mark.parametrize(
    "options",
    [
        {"examples": 0},
        {"examples": 2.5},
        {"seed": -1},
        {"time_limit": 0},
        {"talon_size": 14},
        {"talon_size": -1},
        {"variant": None},
    ],
)
def test_bad_arguments_fail_loudly(options: dict[str, object]) -> None:
    with pytest.raises(MizerkaError, match=next(iter(options))):
        check_rules(Toy(), **options)  # type: ignore[arg-type]


def test_an_adapter_without_its_methods_is_refused_at_once() -> None:
    class Half:
        def new_game(self, dealer: int) -> None:
            """The only one there is."""

    with pytest.raises(MizerkaError, match="Half: an adapter needs the methods deal, name, exchange"):
        check_rules(Half())  # type: ignore[arg-type]


def test_what_no_record_tells_is_in_the_question() -> None:
    found = check_rules(Toy("undo forgets the leader", SMALL.targets), examples=60, variant=SMALL).difference
    assert found is not None
    assert re.fullmatch(r"legal cards of [FMR], after [SHDC2-9TJQKA ]+ (was|were) played and taken back", found.asked)


# Programs


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be collected does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_sound_program_conforms() -> None:
    with program() as adapter:
        report = check_rules(adapter, examples=3)
    assert report.conforms, report


@pytest.mark.parametrize(("mistake", "rule"), [("crash", STAYS), ("garbage", ONE_LINE)])
def test_programs_that_fail_are_reported(mistake: str, rule: str) -> None:
    with program(mistake) as adapter:
        found = check_rules(adapter, examples=3, shrink=False).difference
    assert found is not None
    assert found.rule == rule
    if mistake == "crash":
        assert "exit code 1 (KeyError: 'a bug in the program')" in found.got
        assert len(found.records[-1].play) % 3 == 0


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes through /proc")
def test_a_hanging_program_is_ended_with_its_children() -> None:
    with program("hang", timeout=4.0) as adapter:
        pid = adapter._conversation.program.pid  # type: ignore[union-attr]
        complaints = adapter._conversation._complaints  # type: ignore[union-attr]
        found = check_rules(adapter, examples=3).difference
        child = int(complaints[0])
    assert found is not None
    assert found.rule == IN_TIME
    for process in (pid, child):
        deadline = time.monotonic() + 60
        while is_alive(process) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not is_alive(process)


def test_programs_that_can_not_be_started() -> None:
    with pytest.raises(MizerkaError, match="can't be started"):
        ProgramAdapter("cmd:/nowhere/at/all")
    with pytest.raises(MizerkaError, match="cmd: must be followed by a program"):
        ProgramAdapter("cmd:")
    with pytest.raises(MizerkaError, match="not a command line"):
        ProgramAdapter("cmd:'")
    with pytest.raises(MizerkaError, match="timeout -1"):
        ProgramAdapter("cmd:cat", timeout=-1)


def test_what_a_program_says_last_is_not_what_it_fails_of() -> None:
    with program("crash") as adapter:
        found = check_rules(adapter, examples=3, shrink=False).difference
    assert found is not None
    assert "KeyError" in found.got
    assert "shutting down" not in found.got


@pytest.mark.parametrize(
    ("lines", "telling"),
    [
        (["Traceback (most recent call last):", "  File x", "ValueError: a", "", "log: closing"], "ValueError: a"),
        (
            [
                *("Traceback (most recent call last):", "KeyError: 1", "During handling of …:"),
                *("Traceback (most recent call last):", "  File y", "bots.Lost: the second", "hint: see the docs"),
            ],
            "bots.Lost: the second",
        ),
        (['Exception in thread "main" java.lang.IllegalStateException: x', "\tat Bot.main(Bot.java:3)"], "x"),
        (["panic: runtime error: index out of range", "", "goroutine 1 [running]:", "main.main()"], "panic: "),
        (["/srv/bot.js:3", "  foo()", "TypeError: foo is not a function", "    at x.js:3", "Node.js v20"], "TypeError"),
        (["bot: bot.c:7: main: Assertion `n < 3' failed.", "Aborted"], "Assertion"),
        (["thinking", "no more cards"], "no more cards"),
        ([" ", ""], ""),
    ],
)
def test_the_telling_line(lines: list[str], telling: str) -> None:
    assert telling in telling_line(lines)
    assert len(telling_line([*lines, "Error: " + 500 * "x"])) <= 200


def test_an_answer_that_is_no_card_is_quoted_with_the_rule() -> None:
    class Odd(Toy):
        def exchange(self, seat: str, discards: list[str]) -> list[str]:
            return ["X9" for _ in super().exchange(seat, discards)]

    found = check_rules(Odd(), examples=10).difference
    assert found is not None
    assert found.rule == ONE_LINE
    assert "X9: " in found.got
    assert found.length == (1, 0, 1)


def test_a_terminal_is_told_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with status_line("asking") as tell:
        assert tell is not None
        tell("shrinking, try 3")
    assert "shrinking, try 3" in screen.getvalue() or "asking" in screen.getvalue()
    monkeypatch.setattr(sys, "stderr", StringIO())
    with status_line("asking") as tell:
        assert tell is None


def test_without_hypothesis_it_is_said_what_is_missing() -> None:
    code = "import sys; sys.modules['hypothesis'] = None; import mizerka_solver; import mizerka_solver.testing"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith(
        "needs Hypothesis, which is installed with the package: pip install hypothesis"
    )


# The command


def command(mistake: str) -> str:
    """The argument of the command."""
    return f"cmd:{sys.executable} -m tests.toy_rules '{mistake}'"


def test_the_command_says_what_it_found() -> None:
    assert run("check-rules", command(""), "--examples", "2").stdout.startswith("No difference: ")
    text = run("check-rules", command("leader leads again"), "--examples", "2", code=1).stdout
    assert text.startswith("A difference (seed 0): The winner of a trick leads to the next one.\n")
    (data,) = objects(run("check-rules", command("leader leads again"), "--examples", "2", "--json", code=1).stdout)
    assert data["rule"] == d.LEADER
    assert Position(data["position"])
    assert GameRecord.from_json(data["records"][0])
    json.dumps(data)


@pytest.mark.parametrize(
    "arguments",
    [
        ["python3 toy.py"],
        ["cmd:"],
        ["cmd:/nowhere/at/all"],
        ["cmd:true", "--examples", "0"],
        ["cmd:true", "--time-limit", "0"],
        [],
    ],
)
def test_bad_usage_of_the_command(arguments: list[str]) -> None:
    result = run("check-rules", *arguments, code=2)
    assert result.stderr.splitlines()[-1].startswith("Error: ")


def test_a_program_that_ends_at_once_differs() -> None:
    result = run("check-rules", "cmd:true", "--examples", "1", code=1)
    assert "A program runs until its input ends." in result.stdout


def offspring(pid: int) -> list[int]:
    """Children of a process and theirs, by what the system knows of parents."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
    found = [pid]
    for parent in found:
        found += [child for child, its in parents.items() if its == parent]
    return found[1:]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks at processes through /proc")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_a_stopped_command_leaves_nothing_behind(number: int, code: int) -> None:
    process = start("check-rules", command("hang"), "--answer-limit", "60")
    deadline = time.monotonic() + 300
    n = 3  # the program, its child, and the guard of the two
    while len(family := offspring(process.pid)) < n and time.monotonic() < deadline:
        time.sleep(0.1)
    process.send_signal(number)
    process.communicate(timeout=300)
    assert process.returncode == code
    assert len(family) == n
    while any(map(is_alive, family)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_alive, family))
