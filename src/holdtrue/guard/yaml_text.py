"""Read YAML with the place of everything in it.

Only `true` and `false` are flags (YAML 1.2), since `on`, `yes` and `no` are names here; dates stay texts, a key that
stands twice is an error, and nothing is made but plain values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from holdtrue.errors import InputError
from holdtrue.extras import need
from holdtrue.rules.syntax import Place

if TYPE_CHECKING:
    from yaml.nodes import MappingNode, Node, ScalarNode

MOST_NODES = 200_000
DEEPEST = 40
LONGEST = 5_000_000
MOST_DIGITS = 400
Path = tuple[str | int, ...]


class YamlError(InputError):
    """A text is no YAML that can be used; `place` is where."""

    def __init__(self, message: str, place: Place) -> None:
        super().__init__(f"{place}: {message}" if place.line else message)
        self.place = place


@dataclass
class YamlText:
    """A `YamlText` is what a YAML text says, and where each of its values stands."""

    value: Any
    places: dict[Path, Place] = field(default_factory=dict)
    lines: dict[Path, str] = field(default_factory=dict)
    """The texts of several lines as they stand in the file, where only their white space is another in the value."""

    def as_written(self, path: Path, text: str) -> str:
        """Return a text with its lines as they stand in the file, for what does not mind white space."""
        return self.lines.get(path, text)

    def place(self, path: Path) -> Place:
        """Return the place of a value, or of what it would stand in."""
        for size in range(len(path), -1, -1):
            if path[:size] in self.places:
                return self.places[path[:size]]
        return Place()


def read_yaml(text: str) -> YamlText:
    """Return the values of a YAML text. Raises `YamlError`."""
    need("Policy files", "yaml")
    import yaml

    if len(text) > LONGEST:
        raise YamlError(f"the text has {len(text):,} characters, over {LONGEST:,}", Place(1, 1))
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(mark.line + 1, mark.column + 1) if mark is not None else Place()
        hint = '; in braces a text that ends in ? goes in quotes: {"note?": text}'
        told = f"no YAML: {error.problem or error}{hint if '?' in str(error.problem) else ''}"
        raise YamlError(told, place) from error
    except (yaml.YAMLError, RecursionError) as error:
        raise YamlError(f"no YAML: {str(error)[:200]}", Place()) from error
    reader = _Reader(text)
    found = YamlText(None, reader.places, reader.lines)
    found.value = None if node is None else reader.read(node, (), 0)
    return found


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self.places: dict[Path, Place] = {}
        self.lines: dict[Path, str] = {}
        self._count = 0

    def read(self, node: Node, path: Path, depth: int) -> Any:
        place = _place(node)
        self.places[path] = place
        self._count += 1
        if self._count > MOST_NODES or depth > DEEPEST:
            raise YamlError("the text is too large, or nested too deep", place)
        match node.id:
            case "mapping":
                return self._mapping(node, path, depth)
            case "sequence":
                return [self.read(own, (*path, index), depth + 1) for index, own in enumerate(node.value)]
        if node.start_mark.line < node.end_mark.line and (lines := _lines(node, self._text)) is not None:
            self.lines[path] = lines
        return _scalar(node, place)

    def _mapping(self, node: MappingNode, path: Path, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            place = Place(key_node.start_mark.line + 1, key_node.start_mark.column + 1)
            if key_node.id != "scalar":
                raise YamlError("a key has to be a text", place)
            key = str(key_node.value)
            if key == "<<" and not key_node.style:
                raise YamlError("merge keys (<<) are not read here", place)
            if key in found:
                raise YamlError(f"{key!r} stands twice", place)
            found[key] = self.read(value_node, (*path, key), depth + 1)
        return found


def _place(node: Node) -> Place:
    """Return the place of a value's first character; that of a block is its first line."""
    mark = node.start_mark
    if node.id == "scalar" and node.style in ("|", ">"):
        return Place(mark.line + 2, 1)
    return Place(mark.line + 1, mark.column + (2 if node.id == "scalar" and node.style in ("'", '"') else 1))


def _lines(node: ScalarNode, text: str) -> str | None:
    """Return a text as it stands in the file, from its place on; None where more than its white space is another."""
    own = text[node.start_mark.index : node.end_mark.index]
    if node.style in ("|", ">"):
        own = own.partition("\n")[2]
    elif node.style is not None:
        own = own[1:-1]
    own = own.rstrip()
    whole = all(line.count(quote) % 2 == 0 for line in own.split("\n") for quote in "'\"")
    return own if whole and own.split() == str(node.value).split() else None


def _scalar(node: ScalarNode, place: Place) -> Any:
    text = str(node.value)
    if node.style is not None:
        return text
    if text in ("", "~", "null"):
        return None
    if text in ("true", "false"):
        return text == "true"
    kind = node.tag.rpartition(":")[2]
    if kind == "int" and text.lstrip("+-").isdigit():
        if len(text) > MOST_DIGITS:
            raise YamlError(f"a number of {len(text):,} digits, over {MOST_DIGITS}", place)
        return int(text)
    if kind == "float":
        try:
            return Decimal(text)
        except InvalidOperation:
            return text
    return text
