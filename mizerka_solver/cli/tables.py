"""Answers as tables for people: suit signs and colour where the stream has them, 80 columns where it does not say."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.text import Text

from mizerka_solver.cli.common import Output
from mizerka_solver.double_dummy.solution import Solution
from mizerka_solver.double_dummy.values import CardValue, Value
from mizerka_solver.game.cards import Card, Hand, Suit
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.position import Position
from mizerka_solver.game.rules import Contract, Seat

PLAIN = str.maketrans({"≥": ">=", "≤": "<=", "–": "-", "·": "-"})
RED, BEST, WARN, HEAD = "red", "bold green", "yellow", "bold"


class TextTable:
    """Lines of styled text for one Output; in ASCII where it can't hold suit signs."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self.console: Console = output.console
        self.ascii = output.is_ascii

    def put(self, text: Text | str = "", style: str = "", *, wrap: bool = False) -> None:
        """Write a line without trailing blanks; rows are left whole on a narrow screen, running text is wrapped."""
        if isinstance(text, str):
            text = Text(text, style)
        with self.console.capture() as capture:
            self.console.print(text, soft_wrap=not wrap)
        for line in capture.get().splitlines():
            self._output.line(self.plain(line.rstrip()))

    def plain(self, text: str) -> str:
        """Return the text as the stream can hold it."""
        return text.translate(PLAIN) if self.ascii else text

    def card(self, card: Card) -> Text:
        """Return '♠A', red for a red suit."""
        return Text(str(card) if self.ascii else card.pretty, RED if card.suit in (Suit.H, Suit.D) else "")

    def suit(self, hand: Hand, suit: Suit) -> Text:
        """Return '♠ AK5'."""
        sign = suit.name if self.ascii else suit.symbol
        return Text.assemble((sign, RED if suit in (Suit.H, Suit.D) else ""), f" {hand.ranks(suit) or '-'}")

    def contract(self, contract: Contract) -> str:
        """Return 'S ♠ spades'."""
        sign = contract.symbol if contract.trump is not None and not self.ascii else " "
        return f"{contract.name} {sign} {contract.long_name}"


# The parts


def print_subject(table: TextTable, solution: Solution, label: str) -> None:
    """Print the hands, one a line, suits one below the other, and what else there is to know."""
    subject = solution.subject
    if isinstance(subject, Position):
        title = f"Position in {subject.contract.long_name}, tricks won {'-'.join(map(str, subject.tricks_won))}"
        title += "" if subject.is_over else f", {subject.to_move} to play"
    else:
        title = f"Deal, {solution.leader} leads"
    table.put(f"{label}: {title}" if label else title, HEAD)
    widths = [max(len(hand.ranks(suit)) for hand in subject.hands) + 4 for suit in Suit]
    for seat in Seat:
        table.put(hand_row(table, f"{seat} {seat.long_name}", subject.hands[seat], widths))
    if isinstance(subject, Deal) and subject.talon:
        table.put(Text.assemble("  T talon       ", spaced(map(table.card, subject.talon))))
    if isinstance(subject, Deal) and subject.preview is not None:
        table.put(hand_row(table, "P preview", subject.preview, widths))
    if isinstance(subject, Position) and subject.trick:
        table.put(Text.assemble(f"  trick, {subject.leader} led  ", spaced(map(table.card, subject.trick))))


def hand_row(table: TextTable, name: str, hand: Hand, widths: Sequence[int]) -> Text:
    """Return the row of a hand, its suits in columns of these widths."""
    row = Text(f"  {name:<14}")
    for suit, width in zip(Suit, widths, strict=True):
        cell = table.suit(hand, suit)
        cell.pad_right(max(width - cell.cell_len, 1))
        row.append_text(cell)
    return row


def print_line_to_paste(table: TextTable, subject: Deal | Position) -> None:
    """Print a deal or position as text, for the next command, and a blank line."""
    table.put(str(subject), "dim")
    table.put()


def spaced(parts: Iterable[Text]) -> Text:
    """Return texts with blanks between."""
    return Text(" ").join(parts)


def has_points(solution: Solution) -> bool:
    """Whether the deal has as many tricks as the targets count."""
    return all(value.has_points for value in solution.values.values())


def print_values(table: TextTable, solution: Solution) -> None:
    """Print one row a contract: tricks, points and par of each seat, slack; the best for forehand marked."""
    points = has_points(solution)
    best = solution.best_contract if points and solution.exact and len(solution.values) > 1 else None
    head, seats = f"{'':17}{'tricks':^15}", f"{'':17}" + "".join(f"{seat:>5}" for seat in Seat)
    if points:
        head += f"{'points':>13}{'par':>18}{'':6}"
        seats += "  " + "".join(f"{seat:>5}" for seat in Seat) + "  " + "".join(f"{seat:>7}" for seat in Seat)
    table.put(f"{head:<{len(seats)}}  slack", HEAD)
    table.put(seats, HEAD)
    for contract, value in solution.values.items():
        style = BEST if contract is best else "" if value.exact else WARN
        mark = ">" if contract is best else " "
        table.put(f"{mark} {table.contract(contract):<15}{value_cells(table, value, points)}", style)
    if best is not None:
        table.put(f"Best for forehand: {best.long_name}, par {signed(solution.values[best].par[0], '.2f')}")
    if not points:
        value = next(iter(solution.values.values()))
        table.put(no_points(value), "dim")
    if not is_exact(solution):
        table.put("* ? a limit was reached: tricks are proven bounds, the rest is not known", WARN)


def no_points(value: Value) -> str:
    """Say why a deal has no points."""
    return f"No points: targets are for {value.variant.hand_size} tricks, here are {value.n_tricks}."


def signed(number: float, form: str = "") -> str:
    """Return a number with its sign; zero has none."""
    return format(number, f"+{form}" if number else form)


def is_exact(solution: Solution) -> bool:
    """Whether every value is exact, those of cards too."""
    worths = (worth for cards in (solution.cards or {}).values() for worth in cards)
    return solution.exact and all(worth.after.exact for worth in worths)


def value_cells(table: TextTable, value: Value, points: bool) -> str:
    """Return the cells of a row; a value that is not exact shows its bounds, and no par."""
    cells = "".join(f"{table.plain(tricks):>5}" for tricks in tricks_cells(value))
    if points:
        cells += "  " + "".join(f"{signed(n) if value.exact else '?':>5}" for n in value.points)
        cells += "  " + "".join(f"{signed(n, '.2f') if value.exact else '?':>7}" for n in value.par)
    return cells + (f"{value.slack:>7}" if value.exact else f"{'*':>7}")


def tricks_cells(value: Value) -> Iterator[str]:
    """Yield '≥3', in mizerka '≤3', or '3–5' where the value is not known, for each seat."""
    sign = "≤" if value.contract.is_mizerka else "≥"
    for low, high in zip(value.lower, value.upper, strict=True):
        yield f"{sign}{low}" if low == high else f"{low}–{high}"


def print_cards(table: TextTable, solution: Solution, contract: Contract, cards: Sequence[CardValue]) -> None:
    """Print what each card of the seat to play costs, the best first, and what it leaves to all."""
    table.put()
    if not cards:
        return
    mover = mover_of(solution)
    table.put(f"Cards of {mover}       par    tricks then           change of points", HEAD)
    table.put("           cost   cost     F     M     R        F    M    R", HEAD)
    for worth in sorted(cards, key=lambda worth: (worth.cost, worth.par_cost)):
        row = Text("  ").append_text(table.card(worth.card))
        row.append(" " * (9 - row.cell_len))
        cells = "".join(f"{table.plain(cell):>6}" for cell in tricks_cells(worth.after))
        if known(solution, contract, worth):
            change = " ".join(f"{signed(n):>4}" for n in worth.transfer)
            row.append(f"{worth.cost:>6} {worth.par_cost:>6.2f}{cells}     {change}", "" if worth.cost else BEST)
        else:
            row.append(f"{'?':>6} {'?':>6}{cells}", WARN)
        table.put(row)


def print_card_costs(table: TextTable, solution: Solution) -> None:
    """Print a row a card and a column a contract: guaranteed points the card costs its player."""
    costs = {contract: {w.card: w for w in cards} for contract, cards in (solution.cards or {}).items()}
    table.put()
    contracts = "".join(f"{contract.name:>4}" for contract in costs)
    table.put(f"What each card of {mover_of(solution)} costs, in guaranteed points", HEAD)
    table.put(f"      {contracts}", HEAD)
    for card in next(iter(costs.values())):
        row = Text("  ").append_text(table.card(card)).append("  ")
        for contract, worths in costs.items():
            cost = worths[card].cost
            if known(solution, contract, worths[card]):
                row.append(f"{cost:>4}", "" if cost else BEST)
            else:
                row.append(f"{'?':>4}", WARN)
        table.put(row)


def known(solution: Solution, contract: Contract, worth: CardValue) -> bool:
    """Whether the values a cost is the difference of are both exact."""
    return solution.values[contract].exact and worth.after.exact


def mover_of(solution: Solution) -> Seat:
    """Return the seat to play."""
    return solution.subject.to_move if isinstance(solution.subject, Position) else solution.leader


def print_line(table: TextTable, solution: Solution, contract: Contract, what: str, cards: Sequence[Card]) -> None:
    """Print a line of play trick by trick, each after its leader; what: who plays how, and the result."""
    subject = solution.subject
    position = subject if isinstance(subject, Position) else subject.position(contract, solution.leader)
    table.put()
    table.put(f"Line in {contract.long_name}, {what}", HEAD)
    cells: list[Text] = []
    trick: list[Card] = list(position.trick)
    number, leader = sum(position.tricks_won) + 1, position.leader
    for card in cards:
        position = position.play_unchecked(card)
        trick.append(card)
        if not position.trick:
            cell = Text(f"{number:>2} {leader} ").append_text(spaced(map(table.card, trick)))
            cells.append(cell)
            trick, number, leader = [], number + 1, position.leader
    per_row = max((table.console.width - 2) // 16, 1)
    for i in range(0, len(cells), per_row):
        table.put(Text("  ").append_text(Text("   ").join(cells[i : i + per_row])))
