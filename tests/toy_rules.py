"""A plain implementation of the rules with switches for typical mistakes: what the conformance kit is tested on.

    python -m tests.toy_rules [MISTAKE]      serves the kit's protocol over JSON Lines

It shares nothing with the package. A mistake may also be of the program rather than of the rules: crash, hang, garbage.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import sys
import time
from collections.abc import Sequence

RANKS = "23456789TJQKA"
SEATS = "FMR"


class Toy:
    """Mizerka for three players; `mistake` names the one rule that is wrong, '' none."""

    def __init__(self, mistake: str = "", targets: Sequence[int] = (7, 5, 1)) -> None:
        self.mistake = mistake
        self.targets = tuple(targets)
        self.n_exchanges = 0

    def new_game(self, dealer: int) -> None:
        """Forget everything."""
        self.dealer, self.named, self.total = dealer, [set(), set(), set()], [0, 0, 0]
        self.n_deals = 0

    def deal(self, deal: str) -> list[int]:
        """Take over the cards."""
        if self.n_deals == 18 and self.mistake != "nineteen deals":
            raise ValueError("the game is over")
        if self.n_deals and self.mistake != "same dealer":
            self.dealer = (self.dealer + (2 if self.mistake == "deal passes right" else 1)) % 3
        self.n_deals += 1
        self.players = [(self.dealer + step) % 3 for step in (1, 2, 3)]
        if self.mistake == "dealer is forehand":
            self.players = [self.dealer, (self.dealer + 1) % 3, (self.dealer + 2) % 3]
        fields = dict(part.split(":") for part in deal.split())
        self.hands = [self.hand(fields[seat]) for seat in SEATS]
        talon = fields.get("T", "")
        self.talon = [talon[i : i + 2] for i in range(0, len(talon), 2)]
        self.contract, self.done, self.gone = "", 0, []
        self.leader, self.trick, self.won, self.last, self.past = 0, [], [0, 0, 0], 0, []
        self.void: list[set[str]] = [set(), set(), set()]
        return self.players

    @staticmethod
    def hand(text: str) -> list[str]:
        """Read a hand S.H.D.C."""
        return [s + r for s, ranks in zip("SHDC", text.split("."), strict=True) for r in ranks if r != "-"]

    def name(self, contract: str) -> None:
        """Name the contract."""
        named = self.named[self.players[0]]
        if self.mistake == "named by anyone":
            named = set().union(*self.named)
        if contract in named and self.mistake != "contract named twice":
            raise ValueError("named before")
        self.named[self.players[0]].add(contract)
        self.contract = contract

    def exchange(self, seat: str, discards: list[str]) -> list[str]:
        """Discard and draw."""
        self.n_exchanges += 1
        who = SEATS.index(seat)
        second_go = self.mistake == "second exchange" and who == self.done - 1
        if who != self.done and self.mistake != "exchange in any order" and not second_go:
            raise ValueError("not this seat's exchange")
        if len(discards) > len(self.talon) and self.mistake != "exchange beyond the talon":
            raise ValueError("the talon is too small")
        if self.mistake == "at most two" and len(discards) > 2:
            raise ValueError("two is the most")
        hand, talon = list(self.hands[who]), list(self.talon)
        drawn = []
        for card in discards:
            held = [*hand, *drawn] if self.mistake == "drawn cards discarded again" else hand
            if self.mistake == "a discard counts twice" and card in discards[: len(drawn)]:
                held = [card]
            if card not in held:
                raise ValueError("not held")
            if card in hand:
                hand.remove(card)
            if talon:
                drawn.append(talon.pop(-1 if self.mistake == "drawn from the bottom" else 0))
        if self.mistake == "discards return":
            talon += discards
        if self.mistake == "drawn from the next hand" and drawn:
            drawn[0] = self.hands[(who + 1) % 3][0]
        self.hands[who] = hand + drawn
        if self.mistake == "discards stay" and discards:
            self.hands[who] = [*hand, *drawn, discards[0]]
        self.talon = talon
        self.done = max(self.done, who + 1)
        return drawn

    @property
    def turn(self) -> int:
        """The seat to play."""
        step = 2 if self.mistake == "anticlockwise" else 1
        return (self.leader + step * len(self.trick)) % 3

    def legal_cards(self) -> list[str]:
        """List what may be played."""
        hand = self.hands[self.turn]
        if not self.trick:
            if self.mistake == "trump may not be led":
                return [card for card in hand if card[0] != self.contract] or hand
            return hand
        led = self.trick[0][0]
        same = [card for card in hand if card[0] == led]
        if self.mistake == "no duty to follow" or (self.mistake == "no duty after a void" and self.void[self.turn]):
            return hand
        if same:
            over = [card for card in same if self.beats(card, max(self.trick, key=self.strength))]
            return over if over and self.mistake == "duty to overtake" else same
        trumps = [card for card in hand if card[0] == self.contract]
        return trumps if trumps and self.mistake == "duty to trump" else hand

    def strength(self, card: str) -> tuple[bool, bool, int]:
        """Order the cards of a trick."""
        trump = self.contract
        if self.mistake == "trump does not beat":
            trump = ""
        if self.mistake == "hearts are trump in mizerka" and trump == "M":
            trump = "H"
        follows = card[0] == self.trick[0][0]
        if self.mistake == "winner by rank alone":
            follows = True
        rank = RANKS.index(card[1])
        if self.mistake == "ten ranks below nine" and card[1] == "T":
            rank -= 1.5
        return card[0] == trump, follows, rank

    def beats(self, card: str, best: str) -> bool:
        """Compare two cards."""
        return self.strength(card) > self.strength(best)

    def play(self, card: str) -> None:
        """Play a card."""
        turn = self.turn
        legal = self.hands[turn] if self.mistake == "revoke accepted" else self.legal_cards()
        if self.mistake == "any card accepted":
            legal = [card, *legal]
        if card not in legal:
            raise ValueError("not legal")
        self.past.append((list(self.hands[turn]), turn, self.leader, list(self.trick), list(self.won), self.last))
        self.hands[turn] = [held for held in self.hands[turn] if held != card or self.mistake == "played cards stay"]
        if self.trick and card[0] != self.trick[0][0]:
            self.void[turn].add(self.trick[0][0])
        self.trick.append(card)
        if len(self.trick) < 3:
            return
        place = self.trick.index(max(self.trick, key=self.strength))
        self.last = (self.leader + place) % 3
        if not (self.mistake == "last trick not counted" and not any(self.hands)):
            self.won[self.last] += 1
        if self.mistake != "leader leads again":
            self.leader = self.last
        self.trick = []
        if not any(self.hands):
            for seat, gain in enumerate(self.points()):
                self.total[self.players[seat]] += gain

    def winner(self) -> str:
        """Say who won the last trick."""
        return SEATS[self.last]

    def points(self) -> list[int]:
        """Score the deal."""
        f, m, r = self.targets
        if self.mistake == "middlehand and rearhand swapped":
            m, r = r, m
        won = self.won
        if self.contract == "M":
            if self.mistake == "mizerka targets unreversed":
                return [f - won[0], m - won[1], r - won[2]]
            if self.mistake == "mizerka targets 1 5 6":
                return [r - won[0], m - won[1], f - 1 - won[2]]
            if self.mistake == "mizerka scored like no trump":
                return [won[0] - f, won[1] - m, won[2] - r]
            return [r - won[0], m - won[1], f - won[2]]
        if self.mistake == "targets 7 5 3":
            r = 3
        if self.mistake == "points not zero-sum":
            return [max(0, won[0] - f), won[1] - m, won[2] - r]
        return [won[0] - f, won[1] - m, won[2] - r]

    def totals(self) -> list[int]:
        """Add up."""
        return [self.total[self.players[seat]] for seat in range(3)] if self.mistake == "totals by seat" else self.total

    def undo(self) -> None:
        """Take the last card back."""
        hand, turn, leader, trick, won, last = self.past.pop()
        self.hands[turn], self.leader, self.trick, self.won, self.last = hand, leader, trick, won, last
        if self.mistake == "undo forgets the leader" and not trick:
            self.leader = (leader + 1) % 3


def answer(toy: Toy, question: dict[str, object]) -> object:
    """Answer one question of the protocol."""
    do = question.pop("do")
    if do == "game":
        toy.new_game(question["dealer"])
        return {}
    if do == "legal":
        return {"cards": toy.legal_cards()}
    if do == "winner":
        return {"seat": toy.winner()}
    if do in ("points", "totals"):
        return {do: getattr(toy, do)()}
    result = getattr(toy, do)(**question)
    return {"deal": {"players": result}, "exchange": {"drawn": result}}.get(do, {})


def main() -> None:
    """Serve the protocol."""
    toy = Toy(sys.argv[1] if len(sys.argv) > 1 else "")
    for line in sys.stdin:
        question = json.loads(line)
        if toy.mistake == "crash" and question["do"] == "winner":
            atexit.register(lambda: print("log: shutting down", file=sys.stderr))
            raise KeyError("a bug in the program")
        if toy.mistake == "hang" and question["do"] == "play":
            child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
            print(child.pid, file=sys.stderr, flush=True)
            time.sleep(600)
        if toy.mistake == "garbage" and question["do"] == "legal":
            print("SA SK", flush=True)
            continue
        try:
            reply = answer(toy, question)
        except ValueError as error:
            reply = {"refused": str(error)}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
