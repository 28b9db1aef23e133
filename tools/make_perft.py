"""Count legal play sequences and write mizerka_solver/game/perft.txt; tests count them a second, independent way."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from mizerka_solver import Position  # noqa: E402 - the tree this file is in, not an installed one
from mizerka_solver.game.perft import PerftCase, perft  # noqa: E402

TARGET = ROOT / "mizerka_solver" / "game" / "perft.txt"
INTRO = """\
# Ways to play 1, 2, 3 ... cards from a position, for comparing implementations of the rules (chess's perft).
#   <position> ;D1 <ways to play one card> ;D2 <two cards> ...
#   a position: F:<hand> M:<hand> R:<hand> <contract> <leader> <cards on the table> <tricks won>, hands S.H.D.C
# Origin: counted by mizerka_solver.game.perft (tools/make_perft.py) and, in the tests, by tests/reference.py, which
# shares no code with it. Two contracts of one deal differ only where the winner of a trick, and so the next leader,
# differs.
"""
DEAL = "F:J63.A7653.AJ4.53 M:QT52.KQ84.Q8.J86 R:A87.T9.T752.AKT4"
VOIDS = "F:-.AKJ98.QT5.A8742 M:KQJT9.T765.K4.K3 R:A876.Q42.A98762.-"
FOUR = "F:AT.J.-.4 M:9.AQ.5.- R:-.2.K7.8"
POSITIONS = (
    ("A whole deal, number 7 of `mizerka deal`: two tricks and a lead.", 7, f"{DEAL} S F - 0-0-0"),
    ("A whole deal with voids and a singleton, trump spades.", 6, f"{VOIDS} S F - 0-0-0"),
    ("The same in no trump: other winners.", 6, f"{VOIDS} N F - 0-0-0"),
    ("Rearhand leads, as it never does to the first trick of a game.", 5, f"{DEAL} H R - 0-0-0"),
    ("Four cards each to the end, trump spades.", 12, f"{FOUR} S F - 3-3-3"),
    ("The same in hearts, in no trump and in mizerka: no trump and mizerka count alike.", 12, f"{FOUR} H F - 3-3-3"),
    ("", 12, f"{FOUR} N F - 3-3-3"),
    ("", 12, f"{FOUR} M F - 3-3-3"),
    ("Nobody can ever follow: 4! in each hand.", 12, "F:AKQJ.-.-.- M:-.AKQJ.-.- R:-.-.AKQJ.- N F - 0-0-0"),
    ("Nobody can follow, and only rearhand has trumps: it leads from the second trick on.", 9,
     "F:AKQJ.-.-.- M:-.AKQJ.-.- R:-.-.AKQJ.- D M - 0-0-0"),
    ("Everybody always follows: one suit.", 12, "F:AJ85.-.-.- M:KT74.-.-.- R:Q963.-.-.- S F - 0-0-0"),
    ("One card on the table: middlehand must follow with its only spade.", 8,
     "F:A.Q.5.- M:K.32.-.7 R:-.J9.84.- C F SQ 1-0-8"),
    ("Two cards on the table, rearhand is void and holds a trump: it may, but need not.", 7,
     "F:A.Q.5.- M:K.3.-.7 R:-.J9.84.- D F SQ,S2 1-0-8"),
    ("The last trick, its last card.", 3, "F:-.-.-.- M:-.-.-.- R:-.2.-.- S F SA,SK 4-4-4"),
    ("The longest hands there are: 17 cards, the other forms of the game.", 4,
     "F:AKQJT9876.AKQJ.AKQJ.- M:5432.T987.T98.AKQJT9 R:-.65432.76543.8765432 N F - 0-0-0"),
)  # fmt: skip


def main() -> None:
    """Write the file."""
    lines = [INTRO]
    for story, depth, text in POSITIONS:
        if story:
            lines.append(f"# {story}")
        position = Position(text)
        lines.append(str(PerftCase(position, perft(position, depth))))
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
