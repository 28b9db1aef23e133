"""The API answers what the library says, in the shape its document promises, and refuses in one line."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import pytest

from mizerka_solver import Card, Contract, Deal, GameRecord, Seat, Solver
from mizerka_solver.arena.play import act
from mizerka_solver.bots import Table, make_bot
from mizerka_solver.review import review
from mizerka_solver.web import asked
from mizerka_solver.web.api import OPERATIONS
from mizerka_solver.web.openapi import PATH
from tests.web.conftest import DEAL, SMALL

POSITION = "F:A.-.-.- M:K.-.-.- R:Q.-.-.- N R - 5-4-3"
GIVES = {operation.path: operation.gives for operation in OPERATIONS}


def ask(client: Any, path: str, **body: Any) -> dict[str, Any]:
    """The answer, checked against what the document says of it: every field, and none beside."""
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    msgspec.json.decode(answer.content, type=GIVES[path])
    data: dict[str, Any] = answer.json()
    return data


def refusal(client: Any, path: str, status: int = 400, **body: Any) -> str:
    """The one line of an answer that is a refusal."""
    answer = client.post(path, json=body)
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"error"}
    line: str = answer.json()["error"]
    assert "\n" not in line
    return line


def test_about_tells_the_limits(client: Any) -> None:
    about = client.get("/api/about").json()
    assert about["solvers"] == 2
    assert about["bots"] == ["search", "learned", "sampling", "rule", "random"]
    for name in about["bots"]:
        make_bot(name).close()


def test_a_seed_deals_as_the_command_does(client: Any) -> None:
    dealt = client.get("/api/deal", params={"seed": 7}).json()
    assert dealt == {"deal": str(Deal.random(7)), "seed": 7, "preview": dealt["preview"]}
    assert client.get("/api/deal").json()["deal"] != client.get("/api/deal").json()["deal"]
    for seed in ("-1", "x", "1" * 16, "٣"):
        answer = client.get("/api/deal", params={"seed": seed})
        assert (answer.status_code, answer.json()["error"].startswith("seed")) == (400, True)


def test_what_is_read_comes_back_in_the_standard_spelling(client: Any) -> None:
    record = GameRecord(("a", "b", "c"), Deal(SMALL), Contract.N).to_json()
    text = f"f:ka... M:2q..._r:.ka..\n# a comment\n{POSITION}\n{record}\nrubbish"
    items = ask(client, "/api/read", text=text)["items"]
    assert items[:3] == [{"line": 1, "deal": SMALL}, {"line": 3, "position": POSITION}, {"line": 4, "record": record}]
    assert items[3]["error"].startswith("line:5: F rubbish")
    assert "at most 200 lines" in refusal(client, "/api/read", text="x\n" * 201)


def test_solving_gives_the_fields_of_the_command(client: Any) -> None:
    solver = Solver(memory="16M")
    found = ask(client, "/api/solve", subject=DEAL)
    expected = solver.solve(Deal(DEAL)).as_dict()
    assert without_nodes(found) == without_nodes(expected)
    found = ask(client, "/api/solve", subject=SMALL, contracts="SN", cards=True, equilibria=True, lines=["F", "R"])
    expected = solver.solve(Deal(SMALL), "SN", cards=True, equilibria=True).as_dict()
    for value in found["contracts"].values():
        assert [len(line) for line in value.pop("lines").values()] == [6, 6]
    assert without_nodes(found) == without_nodes(expected)
    vectors = found["contracts"]["N"]["equilibria"]
    found = ask(client, "/api/solve", subject=SMALL, contracts="N", payoff=vectors[-1])
    assert len(found["contracts"]["N"]["payoff_line"]) == 6
    assert "no" in refusal(client, "/api/solve", subject=SMALL, contracts="N", payoff=[0, 0, 2])
    found = ask(client, "/api/solve", subject=POSITION, cards=True)
    assert found["position"] == POSITION
    assert [card["card"] for card in found["contracts"]["N"]["cards"]] == ["SQ"]


def without_nodes(data: dict[str, Any]) -> Any:
    """How much work it was depends on what was solved before."""
    return json.loads(json.dumps(data), object_hook=lambda found: {k: v for k, v in found.items() if k != "nodes"})


def test_exchange(client: Any) -> None:
    deal = "F:AK2.-.-.- M:QJ3.-.-.- R:-.AK4.-.- T:S9HQD2"
    for others in ("stand", "reply"):
        found = ask(client, "/api/exchange", deal=deal, contract="N", others=others, made=["S2"])
        expected = Solver(memory="1M").exchange(Deal(deal), "N", Seat.F, others, made=[Card("S2")])
        assert without_nodes(found) == without_nodes(expected.as_dict(10))
    found = ask(client, "/api/exchange", deal=deal, contract="M", seat="M", exchanges={"F": ["S2"]})
    assert found["deal"].startswith("F:AK9")
    assert "discarded, but not held" in refusal(client, "/api/exchange", deal=deal, contract="N", made=["C2"])


def test_long_answers_tell_how_far_they_are(client: Any) -> None:
    headers = {"accept": "application/x-ndjson"}
    body = {"subject": DEAL, "contracts": "N", "equilibria": True}
    answer = client.post("/api/solve", json=body, headers=headers)
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert all(set(line) == {"progress"} for line in lines[:-1])
    assert lines[-1]["result"]["contracts"] == ask(client, "/api/solve", **body)["contracts"]
    answer = client.post("/api/exchange", json={"deal": DEAL, "contract": "N", "made": ["C2"]}, headers=headers)
    assert json.loads(answer.text)["status"] == 400
    # Short questions are answered as ever.
    assert client.post("/api/solve", json={"subject": SMALL}, headers=headers).json()["deal"] == SMALL


def played_record() -> GameRecord:
    """A deal played by quick bots."""
    bots = [make_bot("rule"), make_bot("random"), make_bot("rule")]
    table = Table(Deal.random(3))
    while not table.is_over:
        act(bots[table.to_act], table)
    return table.record(("a", "b", "c"), "3")


def test_review(client: Any) -> None:
    record = played_record()
    found = ask(client, "/api/review", record=record.to_json(), contracts=True, exchanges=True)
    assert found["adds_up"]
    plain = ask(client, "/api/review", record=record.to_json())
    assert without_nodes(plain) == without_nodes(review(Solver(memory="16M"), record).as_dict())
    assert plain["cards"] == found["cards"]
    assert "contract_choice" not in plain


def test_review_by_what_could_be_known(client: Any) -> None:
    record = played_record()
    found = ask(client, "/api/review", record=record.to_json(), known=True, worlds=20)
    decisions = [card for card in found["cards"] if card["kind"] == "decision"]
    assert decisions
    assert [card for card in found["cards"] if "known" in card] == decisions
    assert all(card["known"]["mean"] <= 0 for card in decisions)
    # Some of a random player's cards are behind; the best card is behind nothing.
    assert min(card["known"]["mean"] for card in decisions) < 0
    at = next(index for index, card in enumerate(found["cards"]) if card["kind"] == "decision")
    advice = ask(client, "/api/advise", record=record.to_json(), at=at, samples=20)
    assert max(choice["behind"]["mean"] for choice in advice["choices"]) == 0
    assert all("known" not in card for card in ask(client, "/api/review", record=record.to_json())["cards"])
    exchanged = ask(client, "/api/review", record=record.to_json(), exchanges=True, known=True, worlds=50)["exchange"]
    assert [step["seat"] for step in exchanged if "known" in step] == ["F", "M", "R"]


def test_reviews_tell_how_far_they_are(client: Any) -> None:
    body = {"record": played_record().to_json(), "known": True, "worlds": 1000}
    answer = client.post("/api/review", json=body, headers={"accept": "application/x-ndjson"})
    told = [json.loads(line) for line in answer.text.splitlines()]
    assert set(told[-1]) == {"result"}
    assert all(set(line) == {"progress"} for line in told[:-1])


@pytest.mark.parametrize("bot", ["search", "sampling"])
def test_advice_on_a_record_comes_from_one_hand(client: Any, bot: str) -> None:
    record = played_record()
    position = [*record.positions()][7]
    advice = ask(client, "/api/advise", record=record.to_json(), at=7, samples=3, bot=bot)
    assert advice["seat"] == position.to_move.name
    offered = [card for choice in advice["choices"] for card in choice["card"]]
    assert sorted(offered) == sorted(map(str, position.legal_cards()))
    assert "the record has 39 cards" in refusal(client, "/api/advise", record=record.to_json(), at=39)


@pytest.mark.parametrize(
    ("path", "body", "line"),
    [
        ("/api/solve", {"subject": "F:AK... M:A2... R:.AK.."}, "SA: card held by both F and M"),
        ("/api/solve", {"subject": "x" * 1001}, "length <= 1000"),
        ("/api/solve", {"subject": SMALL, "contracts": "X"}, "contracts are S H D C N M"),
        ("/api/solve", {"subject": SMALL, "leader": "X"}, "Invalid enum value 'X'"),
        ("/api/solve", {"subject": SMALL, "file": "/etc/passwd"}, "unknown field `file`"),
        ("/api/solve", {}, "missing required field `subject`"),
        ("/api/solve", {"subject": 1}, "Expected `str`, got `int`"),
        ("/api/exchange", {"deal": POSITION, "contract": "N"}, "expected T:<cards in draw order>"),
        ("/api/review", {"record": "[1]"}, "a record is an object, here a list"),
        ("/api/game", {"bots": ["rule", "cmd:sh -c id"]}, "not a program that this server was started with"),
        ("/api/game", {"bots": ["rule", "nobody"]}, "not a bot"),
        ("/api/game/move", {"token": "forged"}, "not a game of this server"),
        ("/api/game/hint", {"token": "ключ"}, "not a game of this server"),
    ],
)
def test_mistakes_are_told_in_one_line(client: Any, path: str, body: dict[str, Any], line: str) -> None:
    assert line in refusal(client, path, **body)


def test_bodies_that_are_no_json(client: Any) -> None:
    send = client.post
    for content in (b"", b"{", b"\xff\xfe", b'"text"', b"[" * 100_000):
        answer = send("/api/solve", content=content, headers={"content-type": "application/json"})
        assert answer.status_code == 400, content[:10]
        assert set(answer.json()) == {"error"}
    assert send("/api/solve", content=b"{}", headers={"content-type": "text/plain"}).status_code == 415
    assert client.get("/api/solve").status_code == 405
    assert client.get("/api/nothing").status_code == 404


def test_the_document_describes_the_routes(client: Any) -> None:
    document = client.get(PATH).json()
    described = {(path, method.upper()) for path, methods in document["paths"].items() for method in methods}
    assert described == {(operation.path, operation.method) for operation in OPERATIONS}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"]
            called = getattr(client, method)(path)
            assert called.status_code not in (404, 405), path
    references = {text for text in json.dumps(document).split('"') if text.startswith("#/components/schemas/")}
    assert {reference.rpartition("/")[2] for reference in references} <= set(document["components"]["schemas"])


def test_every_field_that_is_asked_for_is_described() -> None:
    for operation in OPERATIONS:
        if operation.takes is not None:
            assert issubclass(operation.takes, asked.Asked)
            assert operation.takes.__doc__


# Games


def decide(view: dict[str, Any]) -> dict[str, Any]:
    """Any legal decision."""
    if view["type"] == "contract":
        return {"contract": view["remaining"][0]}
    return {"discard": []} if view["type"] == "exchange" else {"card": view["legal"][-1]}


def play_out(client: Any, game: dict[str, Any]) -> dict[str, Any]:
    """Play a deal to its end; nothing in any answer shows more than a seat may see."""
    while game["view"] is not None:
        view = game["view"]
        assert game["record"] is None
        seen = set(cards(view["hand"])) | set(view.get("play", [])) | set(view.get("discarded", []))
        assert all(card in seen for card in all_cards(game)), "another's card"
        game = ask(client, "/api/game/move", token=game["token"], **decide(view))
    return game


def cards(hand: str) -> list[str]:
    """The cards of a hand's text."""
    return [suit + rank for suit, ranks in zip("SHDC", hand.split("."), strict=True) for rank in ranks.strip("-")]


def all_cards(game: dict[str, Any]) -> list[str]:
    """All cards that stand anywhere in an answer but its token."""
    return re.findall(r'"([SHDC][2-9TJQKA])"', json.dumps({**game, "token": ""}))


@pytest.mark.parametrize("seat", "FMR")
def test_a_deal_against_bots(client: Any, seat: str) -> None:
    game = ask(client, "/api/game", bots=["rule", "random"], seat=seat, seed=5, name="Ola")
    assert (game["you"], game["players"][seat]) == (seat, "Ola")
    game = play_out(client, game)
    record = GameRecord.from_json(game["record"])
    assert record.tricks is not None
    assert sum(record.tricks) == 13
    assert game["is_over"]
    assert "the game is over" in refusal(client, "/api/game/move", token=game["token"], next_deal=True)
    assert "the deal is over" in refusal(client, "/api/game/move", token=game["token"], card="SA")


def test_decisions_out_of_place(client: Any) -> None:
    game = ask(client, "/api/game", bots=["rule", "rule"], seed=5)
    token = game["token"]
    assert "it is time for a contract" in refusal(client, "/api/game/move", token=token, card="SA")
    game = ask(client, "/api/game/move", token=token, contract="N")
    held = cards(game["view"]["hand"])
    other = next(card for card in ("SA", "HA", "DA", "CA", "SK", "HK") if card not in held)
    assert "not held" in refusal(client, "/api/game/move", token=game["token"], discard=[other])
    assert "the deal is not over yet" in refusal(client, "/api/game/move", token=game["token"], next_deal=True)


def test_a_seed_repeats_the_game(client: Any) -> None:
    first, second = (ask(client, "/api/game", bots=["rule", "sampling:samples=3"], seed=11) for _ in range(2))
    first, second = play_out(client, first), play_out(client, second)
    assert first["record"] == second["record"]


def test_hints_come_from_what_is_seen(client: Any) -> None:
    game = ask(client, "/api/game", bots=["rule", "rule"], seed=2)
    for phase in ("contract", "exchange", "play"):
        advice = ask(client, "/api/game/hint", token=game["token"], samples=3)
        assert (advice["type"], advice["seat"]) == (phase, "F")
        assert advice["choices"][0]["behind"]["mean"] == 0
        advice = ask(client, "/api/game/hint", token=game["token"], samples=3, bot="sampling")
        means = [choice["points"]["mean"] + choice.get("later", 0) for choice in advice["choices"]]
        assert means == sorted(means, reverse=True)
        game = ask(client, "/api/game/move", token=game["token"], **decide(game["view"]))


@pytest.mark.slow
def test_a_game_of_18_deals(client: Any) -> None:
    game = ask(client, "/api/game", bots=["rule", "random"], mode="game", seed=1)
    for number in range(1, 19):
        assert game["number"] == number
        game = play_out(client, game)
        assert len(game["sheet"]) == number
        if number < 18:
            game = ask(client, "/api/game/move", token=game["token"], next_deal=True)
    assert game["is_over"]
    assert sum(game["sheet"][-1]["totals"]) == 0
    named = [(row["seats"]["F"], row["contract"]) for row in game["sheet"]]
    assert len(set(named)) == 18
