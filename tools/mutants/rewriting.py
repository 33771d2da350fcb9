"""Every mutant of a source file in one text, each behind a switch.

In: a Rust source and mutants as cargo-mutants lists them. Out: the same source where the program
chooses at run time: `a + b` becomes `(if !crate::mutation::any(7, 8) { a + b } else if … { (a) -
(b) } else { (a) * (b) })`. The original text stays where it is; switches are only put around it.
One mutant is on at a time, so the other texts are free of switches.

An operator is replaced in the expression that it is part of: `-` for `+` in `a + b * c` never
regroups, where a mutant of the text may.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

import tree_sitter_rust
from tree_sitter import Language, Node, Parser

RUST = Parser(Language(tree_sitter_rust.language()))
BINARY = ("binary_expression", "compound_assignment_expr")


@dataclass(frozen=True)
class Mutant:
    """One change of the code, and the number that switches it on."""

    number: int
    name: str
    file: str
    genre: str  # as cargo-mutants calls it
    replacement: str
    returns: str  # of the function that holds it, as written
    start: tuple[int, int]  # line and column, both from 1
    end: tuple[int, int]


@dataclass(frozen=True)
class Region:
    """A part of the written text, and the mutants that an error in it speaks of."""

    start: int
    end: int
    numbers: frozenset[int]
    is_mutant: bool  # the text of one, not a whole switch


@dataclass
class Rewritten:
    """A source with switches."""

    text: bytes
    regions: list[Region] = field(default_factory=list)
    wrong: set[int] = field(default_factory=set)  # mutants that cannot compile
    refused: set[int] = field(default_factory=set)  # mutants that no switch can express

    def around(self, start: int, end: int) -> Region | None:
        """The narrowest region that holds `start..end`."""
        holding = [each for each in self.regions if each.start <= start and end <= each.end]
        return min(holding, key=lambda each: each.end - each.start, default=None)


def rewrite(source: str, mutants: list[Mutant]) -> Rewritten:
    """The source with all of these mutants behind their switches."""
    origin = Origin(source)
    written = Rewritten(b"")
    choices: dict[tuple[int, int, tuple[int, int]], Switch] = {}
    for mutant in mutants:
        if is_beside_let(mutant, origin):
            written.wrong.add(mutant.number)
            continue
        switches = switches_of(mutant, origin)
        if not switches:
            written.refused.add(mutant.number)
        for switch in switches:
            same = choices.setdefault((switch.start, switch.end, mutant.start), switch)
            same.others.update(switch.others)
    assemble(origin.text, list(choices.values()), written)
    return written


class Origin:
    """A source, its syntax tree, and the way from line and column to bytes."""

    def __init__(self, source: str) -> None:
        """Parses a Rust source."""
        self.text = source.encode()
        self.root = RUST.parse(self.text).root_node
        self.lines = source.splitlines(keepends=True)
        self.begins = [0]
        for line in self.lines:
            self.begins.append(self.begins[-1] + len(line.encode()))

    def offset(self, place: tuple[int, int]) -> int:
        """Bytes before a line and column, which counts characters."""
        line, column = place
        return self.begins[line - 1] + len(self.lines[line - 1][: column - 1].encode())

    def holder(self, mutant: Mutant, *kinds: str) -> Node | None:
        """The narrowest node of these kinds that holds all of the mutant's span."""
        node = self.root.descendant_for_byte_range(
            self.offset(mutant.start), self.offset(mutant.end) - 1
        )
        while node is not None and node.type not in kinds:
            node = node.parent
        return node

    def words(self, node: Node | None) -> str:
        """Returns the text of a node."""
        return "" if node is None else self.text[node.start_byte : node.end_byte].decode()


@dataclass
class Switch:
    """Text around `start..end`: the alternatives, each with the number that selects it."""

    start: int
    end: int
    others: dict[int, str]
    shape: str = "choice"  # or "return", "arm", "guarded arm", "match" (which writes nothing)

    def before(self) -> Iterator[tuple[str, int | None]]:
        """Yields the text before the original, in parts with their mutants."""
        if self.shape == "choice":
            yield f"(if !{on(*self.others)} {{ ", None
        elif self.shape == "guarded arm":
            yield f"!{on(*self.others)} && (", None
        elif self.shape == "return":
            for number, text in self.others.items():
                yield f"if {on(number)} {{ return ", None
                yield text, number
                yield "; } ", None

    def after(self) -> Iterator[tuple[str, int | None]]:
        """Yields the text after the original, in parts with their mutants."""
        if self.shape == "arm":
            yield f" if !{on(*self.others)}", None
        elif self.shape == "guarded arm":
            yield ")", None
        elif self.shape == "choice":
            last = max(self.others)
            for number, text in self.others.items():
                yield " } else { " if number == last else f" }} else if {on(number)} {{ ", None
                yield text, number
            yield " })", None


def on(*numbers: int) -> str:
    """Asks whether one of these mutants is on: those of one switch, with adjacent numbers."""
    return f"crate::mutation::any({min(numbers)}, {max(numbers)})"


def switches_of(mutant: Mutant, origin: Origin) -> list[Switch]:
    """The switch that plays a mutant, where there is one."""
    if origin.holder(mutant, "const_item", "static_item") is not None:
        return []  # it is computed at compile time
    start, end = origin.offset(mutant.start), origin.offset(mutant.end)
    match mutant.genre:
        # The returned type of an `impl` is one: the first of two.
        case "FnValue" if "impl " not in mutant.returns:
            return [Switch(start, end, {mutant.number: mutant.replacement}, "return")]
        case "MatchArmGuard":
            return [Switch(start, end, {mutant.number: mutant.replacement})]
        case "MatchArm":
            return of_arm(mutant, origin)
        case "BinaryOperator" | "UnaryOperator" | "StructField":
            found = other_expression(mutant, origin)
            if found is not None:
                node, text = found
                return [Switch(node.start_byte, node.end_byte, {mutant.number: text})]
    return []


def is_beside_let(mutant: Mutant, origin: Origin) -> bool:
    """Is it an `||` for the `&&` after `if let`? That is no Rust."""
    holder = origin.holder(mutant, *BINARY, "let_chain")
    is_operator = mutant.genre == "BinaryOperator"
    return is_operator and holder is not None and holder.type == "let_chain"


def of_arm(mutant: Mutant, origin: Origin) -> list[Switch]:
    """An arm goes by a guard that is false. What is then left open is an error of the match."""
    arm = origin.holder(mutant, "match_arm")
    pattern = None if arm is None else arm.child_by_field_name("pattern")
    whole = origin.holder(mutant, "match_expression")
    if pattern is None or whole is None:
        return []
    number = {mutant.number: ""}
    around = Switch(whole.start_byte, whole.end_byte, number, "match")
    guard = pattern.child_by_field_name("condition")
    if guard is None:
        return [Switch(pattern.end_byte, pattern.end_byte, number, "arm"), around]
    return [Switch(guard.start_byte, guard.end_byte, number, "guarded arm"), around]


def other_expression(mutant: Mutant, origin: Origin) -> tuple[Node, str] | None:
    """The expression that a mutant changes, and what it becomes."""
    if mutant.genre == "StructField":
        node = origin.holder(mutant, "struct_expression")
        start, end = origin.offset(mutant.start), origin.offset(mutant.end)
        if node is None:
            return None
        rest = origin.text[end : node.end_byte].decode().lstrip().removeprefix(",")
        return node, origin.text[node.start_byte : start].decode() + rest
    if mutant.genre == "UnaryOperator":
        node = origin.holder(mutant, "unary_expression")
        return None if node is None else (node, f"({origin.words(node.named_child(0))})")
    node = origin.holder(mutant, *BINARY)
    if node is None:
        return None
    left = origin.words(node.child_by_field_name("left"))
    right = origin.words(node.child_by_field_name("right"))
    if node.type == "compound_assignment_expr":
        return node, f"{left} {mutant.replacement} ({right})"
    return node, f"({left}) {mutant.replacement} ({right})"


def assemble(text: bytes, switches: list[Switch], written: Rewritten) -> None:
    """Puts all switches around the original, the wider outside."""
    inserted: list[tuple[tuple[float, ...], int, Switch, bool]] = []
    for order, switch in enumerate(switches):
        length = switch.end - switch.start
        width = float("inf") if switch.shape == "return" else length
        inserted.append(((switch.start, 1, -width, order), switch.start, switch, True))
        inserted.append(((switch.end, 0, length, -order), switch.end, switch, False))
    result = bytearray()
    begun: dict[int, int] = {}
    copied = 0
    for _, offset, switch, first in sorted(inserted, key=lambda each: each[0]):
        result += text[copied:offset]
        copied = offset
        begun.setdefault(id(switch), len(result))
        for piece, number in switch.before() if first else switch.after():
            if number is not None:
                end = len(result) + len(piece.encode())
                written.regions.append(
                    Region(len(result), end, frozenset({number}), is_mutant=True)
                )
            result += piece.encode()
        if not first:
            numbers, is_mutant = frozenset(switch.others), switch.shape == "match"
            written.regions.append(
                Region(begun[id(switch)], len(result), numbers, is_mutant=is_mutant)
            )
    written.text = bytes(result + text[copied:])
