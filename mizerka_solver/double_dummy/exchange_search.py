"""Which discard is best for one seat, with all cards open: the order in which a Solver asks its engine.

The engine answers one question, "is the seat sure of so many tricks after this discard?" (cext/exchange.pxd). Here
values are *worths*: tricks, or minus tricks in mizerka, so that more is better. Every bound kept is proven: when a
limit ends the search, what is known so far is the answer.

    later seats stand pat    1 raise the best worth until no discard is better   2 which discards reach it?
    later seats reply        1 as if they stood pat: no reply leaves a discard more than that
                             2 big discards, which leave few cards to reply with, for a worth to be sure of
                             3 downwards from what 1 left: does any discard keep so much against every reply?

Against replies one question can cost a thousand times as much as the next, and it is not known before which: in step 3
all discards are asked with a small limit of nodes, then always the undecided one that seems the cheapest with a larger
one. Where one proven discard is enough it is a cheap one, and refutations found on the way are tried on the others.
What standing pat is worth against replies can be dearer than all the rest: it is looked for with a limit of its own.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from heapq import heappop, heappush
from typing import TYPE_CHECKING

from mizerka_solver.core import Engine, exchange_search
from mizerka_solver.double_dummy.call import Call
from mizerka_solver.double_dummy.exchange_values import ExchangeLine, ExchangeSolution, ExchangeValue
from mizerka_solver.double_dummy.guarantees import guaranteed_value
from mizerka_solver.double_dummy.query import ExchangeQuery
from mizerka_solver.game.cards import LANE_BITS, LANE_MASK, Hand, Suit
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.rules import Seat
from mizerka_solver.policy.quick import holding_value, suit_role

if TYPE_CHECKING:
    from mizerka_solver.core import ExchangeSearch

SECONDS_A_REPORT = 0.1
STANDING = (0, 0)  # the reply
FEW_DISCARDS = 64  # asked first, so that a good one is known
FEW_CARDS = 2  # left in the talon after a big discard; where none is left, nobody can reply
FIRST_NODES = 200_000  # for a question of step 3
SECURE = 4  # as many are spent on each worth below that of a long question
HARD = 16  # a question that has been given so many times as many is a long one
MIZERKA_TIMES = 5  # as many in mizerka, where a reply takes so many more
MORE_NODES = 4  # times as many the next time
NODES_A_TRY = 20_000  # one random reply for so many of them
MAX_TRIES = 400
STAND_NODES = 20_000_000  # to find what standing pat is worth against replies, beside the best


class LimitHit(Exception):
    """A limit ended the search."""


class DiscardHunt:
    """One search for the best discards. All worths it holds are proven; `lower` is that of some discard."""

    def __init__(self, search: ExchangeSearch, question: ExchangeQuery, deal: Deal, call: Call) -> None:
        self._search = search
        self._call = call
        self._progress = question.progress
        self._next_report = time.monotonic() + SECONDS_A_REPORT
        self._is_mizerka = question.contract.is_mizerka
        self._times = MIZERKA_TIMES if self._is_mizerka else 1
        n_tricks = deal.hand_size
        self._floor, self._ceiling = (-n_tricks, 0) if self._is_mizerka else (0, n_tricks)
        self._reply = question.reply
        self._n_talon = len(deal.talon)
        self.twins: dict[int, int] = dict(search.candidates())
        self._lower_of = dict.fromkeys(self.twins, self._floor)
        self._upper_of = dict.fromkeys(self.twins, self._ceiling)
        self._refuters: dict[int, tuple[int, int]] = {}
        self._done: dict[tuple[int, int], int] = {}
        self.lower, self.found = self._floor, False
        self._ties = question.ties
        self._order = promising(question, deal, self.twins)
        later = deal.hands[question.seat + 1 :] if self._reply else ()
        self._ways = [throws_of_sizes(hand) for hand in later] + [[1]] * (2 - len(later))

    # Questions

    def bounds(self, discard: int) -> tuple[int, int]:
        """Return the proven worths of a discard: at least, at most."""
        return self._lower_of.get(discard, self._floor), self._upper_of.get(discard, self._ceiling)

    @property
    def upper(self) -> int:
        """No discard is worth more."""
        return max(self._upper_of[discard] for discard in self.twins)

    @property
    def best(self) -> list[int]:
        """The discards proven to be worth `lower`, fewest cards first. All have at least the lowest worth: of these it
        is the first that stands for them, unless it is known that there is no more to be had."""
        if self.lower == self._floor < self.upper:
            return [next(iter(self.twins))]
        return [discard for discard in self.twins if self._lower_of[discard] >= self.lower]

    def _sure(self, discard: int, worth: int, only: tuple[int, int] | None = None) -> bool:
        """Ask the engine, unless the answer is known, and keep the answer as a bound; raises LimitHit. only: as if
        the later seats had this one reply, which can refute but not prove."""
        answer = self._asked(discard, worth, only)
        if answer is None:
            raise LimitHit
        return answer

    def _asked(self, discard: int, worth: int, only: tuple[int, int] | None = None, nodes: int = 0) -> bool | None:
        """As `_sure`; nodes: for this question, 0 without a limit of its own. None: they were not enough."""
        lower, upper = self.bounds(discard)
        if worth <= lower or worth > upper:
            return worth <= lower
        self._call.check()
        hint = self._refuters.get(discard, STANDING)
        question = discard, worth
        tries = min(nodes // (NODES_A_TRY * self._times), MAX_TRIES)
        answer = self._search.ask(discard, abs(worth), only, hint, nodes, self._done.get(question, 0), tries)
        if answer is None:
            if self._search.stopped:
                raise LimitHit
            self._done[question] = self._search.done
        elif not answer:
            self._upper_of[discard] = worth - 1
            self._refuters[discard] = self._search.refuter
        elif only is None or not self._reply:
            self._lower_of[discard] = worth
            if discard in self.twins:
                self.lower = max(self.lower, worth)
        return answer

    def settle(self, discard: int, nodes: int = 0) -> None:
        """Find the exact worth of one discard; `upper` is a worth it can't exceed where the best is known. nodes: at
        most so many, 0 without a limit; then bounds are what there is."""
        lower, upper = self.bounds(discard)
        if self.found:
            upper = min(upper, self.lower)
        self._upper_of[discard] = upper
        last = self._search.nodes + nodes
        portion = FIRST_NODES * self._times
        while lower < upper:
            # From the middle: a reply that refutes little is easily found, and so is a proof of little. In portions: so
            # what is open in the end is one or two worths in between.
            answer, middle = None, (lower + upper + 1) // 2
            for worth in sorted(range(lower + 1, upper + 1), key=partial(distance, middle)):
                if nodes and self._search.nodes >= last:
                    return
                most = min(portion, last - self._search.nodes) if nodes else portion
                answer = self._asked(discard, worth, nodes=most)
                if answer is not None:
                    break
            else:
                portion *= MORE_NODES
            if answer is False and self._reply:
                while not self._sure(discard, self._upper_of[discard], self._refuters[discard]):
                    pass  # as far down as the same reply goes
            lower, upper = self.bounds(discard)

    # The hunt

    def run(self) -> None:
        """Find the best worth and all discards of that worth; raises LimitHit."""
        if self._reply:
            self._big_discards(0)
        reached = self._best_standing()
        if self._reply:
            self._big_discards(FEW_CARDS)
            while not self._reached(reached):
                reached -= 1
        self.found = True

    def _big_discards(self, n_left: int) -> None:
        """A worth to be sure of from the discards that leave so few cards to reply with."""
        for discard in reversed(self.twins):
            if discard.bit_count() + n_left < self._n_talon:
                break
            while self.lower < self._ceiling and self._sure(discard, self.lower + 1):
                pass

    def _best_standing(self) -> int:
        """The best worth if the later seats stand pat, and of every discard at least whether it reaches that."""
        order = self._order
        best = self.lower
        for margin, discards in ((1, [0, *order[:FEW_DISCARDS]]), (2, order), (1, order)):
            for discard in self._reported(discards):
                while best + margin <= self._ceiling and self._sure(discard, best + margin, STANDING):
                    best += margin
        if self._ties or self._reply:
            for discard in self._reported(order):
                self._sure(discard, best, STANDING)
        return best

    def _reached(self, worth: int) -> bool:
        """Is one of the discards (if ties are wanted: which are) worth so much against every reply?

        Replies that refute high worths are found quickly and are tried first at lower ones."""
        found = self.lower >= worth
        candidates = [discard for discard in reversed(self.twins) if self._upper_of[discard] >= worth]
        undecided: list[tuple[float, int, int]] = []  # nodes it seems to take, nodes it was given, discard

        def asked(discard: int, nodes: int) -> bool | None:
            answer = self._asked(discard, worth, nodes=nodes)
            if answer is None:
                done = self._done[discard, worth]
                heappush(undecided, (nodes * self._n_splits(discard) / max(done, 1), nodes, discard))
            return answer

        for discard in self._reported(candidates):
            if asked(discard, FIRST_NODES * self._times):
                found = True
                if not self._ties:
                    return True
        secured = False
        while undecided:
            _, nodes, discard = heappop(undecided)
            self._report(len(candidates) - len(undecided) - 1, len(candidates))
            if nodes >= HARD * FIRST_NODES * self._times and not (secured or found):
                self._secure(worth)
                secured = True
            if asked(discard, nodes * MORE_NODES):
                found = True
                if not self._ties:
                    return True
        return found

    def _secure(self, worth: int) -> None:
        """Before `worth` is gone into for long: raise the worth to be sure of below it, as far as it is cheap."""
        nodes = FIRST_NODES * self._times
        while worth - 1 > self.lower:
            worth -= 1
            last = self._search.nodes + SECURE * nodes
            for discard in reversed(self.twins):
                if self._asked(discard, worth, nodes=nodes) or self._search.nodes > last:
                    break

    def _n_splits(self, discard: int) -> int:
        """Return the number of ways in which the later seats can throw numbers of cards per suit after a discard."""
        left = self._n_talon - discard.bit_count()
        return sum(first * sum(self._ways[1][: left - n + 1]) for n, first in enumerate(self._ways[0][: left + 1]))

    def _reported(self, discards: Sequence[int]) -> Iterable[int]:
        """Yield discards and, now and then, tell how far it is."""
        for i, discard in enumerate(discards):
            self._report(i, len(discards))
            yield discard

    def _report(self, done: int, total: int) -> None:
        if self._progress and time.monotonic() > self._next_report:
            self._progress(done, total, *self.tricks(self.lower, self.upper))
            self._next_report = time.monotonic() + SECONDS_A_REPORT

    def tricks(self, lower: int, upper: int) -> tuple[int, int]:
        """Return bounds on a worth as bounds on tricks."""
        return (-upper, -lower) if self._is_mizerka else (lower, upper)


def distance(a: int, b: int) -> int:
    """Return how far two worths are apart."""
    return abs(a - b)


def throws_of_sizes(hand: Hand) -> list[int]:
    """Return, for each number of cards, in how many ways it can be made up of numbers per suit."""
    ways = [1]
    for suit in Suit:
        longer = [0] * (len(ways) + hand.suit_length(suit))
        for n, count in enumerate(ways):
            for more in range(hand.suit_length(suit) + 1):
                longer[n + more] += count
        ways = longer
    return ways


def promising(question: ExchangeQuery, deal: Deal, discards: Iterable[int]) -> list[int]:
    """Return discards in the order of what the quick policy's weights say of the hands they lead to, the best first.

    As `hand_value` has it; but many discards leave the same cards of a suit, and there are thousands of them.
    """
    hand = deal.masks[question.seat]
    drawn = [0]
    for card in deal.talon:
        drawn.append(drawn[-1] | card.mask)

    @cache
    def suit_value(suit: int, lane: int) -> float:
        return holding_value(suit_role(question.contract, suit), question.seat.name, lane)

    def worth(discard: int) -> float:
        kept = hand & ~discard | drawn[discard.bit_count()]
        return sum([suit_value(suit, kept >> LANE_BITS * suit & LANE_MASK) for suit in range(4)])

    return sorted(discards, key=worth, reverse=True)


def stand_nodes(question: ExchangeQuery) -> int:
    """Return how many nodes the worth of standing pat may take; 0: as many as it takes."""
    return STAND_NODES if question.reply else 0


def find_line(question: ExchangeQuery, deal: Deal, engine: Engine, call: Call) -> ExchangeLine:
    """Return the best exchanges of F, M, R, each after those before it, and the value of the deal they lead to."""
    steps: list[ExchangeSolution] = []
    for seat in Seat:
        steps.append(find_exchange(replace(question, seat=seat, exchanges={}, made=None), deal, engine, call))
        deal = steps[-1].after
    f, m, r = steps
    return ExchangeLine((f, m, r), guaranteed_value(engine, deal.position(question.contract), call, question.variant))


def find_exchange(question: ExchangeQuery, deal: Deal, engine: Engine, call: Call) -> ExchangeSolution:
    """Return the best exchanges of one seat, those of earlier seats made first."""
    deal = question.before(deal)
    talon = [card.bit for card in deal.talon]
    search = exchange_search(engine, deal.masks, talon, int(question.contract), int(question.seat), question.reply)
    search.start(call.nodes, call.seconds_left)
    hunt = DiscardHunt(search, question, deal, call)
    made = None if question.made is None else Hand.from_cards(question.made).mask
    try:
        hunt.run()
        if made is not None:
            hunt.settle(made)
        hunt.settle(0, stand_nodes(question))
    except LimitHit:
        pass
    lower, upper = hunt.tricks(hunt.lower, hunt.upper)
    options = [
        exchange_value(question, deal, hunt, mask, twins) for mask, twins in different(question, search, hunt).items()
    ]
    options, nodes = Pars(question, deal, engine, call).find(options, search.nodes)
    return ExchangeSolution(
        deal,
        question.contract,
        question.seat,
        question.others,
        exchange_value(question, deal, hunt, 0),
        lower,
        upper,
        tuple(options),
        hunt.found and question.ties,
        None if made is None else exchange_value(question, deal, hunt, made),
        nodes,
    )


def different(question: ExchangeQuery, search: ExchangeSearch, hunt: DiscardHunt) -> dict[int, int]:
    """Return the best discards with their twins. Discards of different size may lead to the same relative position;
    that makes them twins unless later seats reply, who then have a different talon to draw from."""
    if question.reply:
        return {discard: hunt.twins[discard] for discard in hunt.best}
    first: dict[tuple[int, int, int], int] = {}
    twins: dict[int, int] = {}
    for discard in hunt.best:
        same = first.setdefault(search.effect(discard), discard)
        twins[same] = twins.get(same, 0) + hunt.twins[discard]
    return twins


def exchange_value(question: ExchangeQuery, deal: Deal, hunt: DiscardHunt, mask: int, twins: int = 1) -> ExchangeValue:
    """Return one discard with what the hunt has proven of it."""
    cards = tuple(Hand.from_mask(mask))
    draw = deal.talon[: len(cards)]
    lower, upper = hunt.tricks(*hunt.bounds(mask))
    return ExchangeValue(cards, draw, question.seat, question.contract, lower, upper, twins, variant=question.variant)


@dataclass(frozen=True, slots=True)
class Pars:
    """What orders the best exchanges: par after them."""

    question: ExchangeQuery
    deal: Deal
    engine: Engine
    call: Call

    def find(self, options: list[ExchangeValue], nodes: int) -> tuple[list[ExchangeValue], int]:
        """Return the options ordered by par, then by fewest cards, and the nodes used in all, `nodes` before. Par is
        found for the first `top` with the fewest cards as far as the limits go; the others follow them."""
        question, call = self.question, self.call
        known: list[ExchangeValue] = []
        for option in options[: question.top]:
            left = max(call.nodes - nodes, 0)
            if (call.nodes and not left) or call.time_is_up:
                break
            after = self.deal.after_exchange({question.seat: option.discard}).position(question.contract)
            value = guaranteed_value(self.engine, after, call, question.variant, left)
            nodes += value.nodes
            if not value.exact:
                break
            known.append(replace(option, after=value))
        rest = options[len(known) :]
        known.sort(key=lambda option: -(option.par or 0.0))
        return known + rest, nodes
