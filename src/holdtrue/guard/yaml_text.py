"""Read YAML with the place of every value.

Only `true` and `false` are flags (YAML 1.2), because policies use `on`, `yes` and `no` as names. Dates stay texts, a
repeated key is an error, and only plain values are made.
"""

from __future__ import annotations

from collections.abc import Sequence
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
_LONGEST_WORD = 200
Path = tuple[str | int, ...]


class YamlError(InputError):
    """A text is no valid YAML of the accepted kind. `place` is the place of the fault."""

    def __init__(self, message: str, place: Place) -> None:
        super().__init__(f"{place}: {message}" if place.line else message)
        self.message, self.place = message, place


class FileFaults(InputError):
    """A file has faults. The error lists every fault that was found, each with its place."""

    def __init__(self, faults: Sequence[tuple[Place, str]], where: str = "") -> None:
        self.faults = tuple(faults)
        head = f"{where}:" if where else ""
        numbers = [f"{place.line}:{place.column}:" if place.line else "" for place, _ in faults]
        lines = (f"{head}{own} {text}".lstrip() for own, (_, text) in zip(numbers, faults, strict=True))
        super().__init__("\n".join(lines))


@dataclass
class YamlText:
    """A `YamlText` holds the values of a YAML text and their places."""

    value: Any
    places: dict[Path, Place] = field(default_factory=dict)
    lines: dict[Path, str] = field(default_factory=dict)
    """Texts of several lines as written in the file, if they differ from the value only in white space."""
    keys: dict[Path, Place] = field(default_factory=dict)
    """The place of each value's key."""

    def as_written(self, path: Path, text: str) -> str:
        """Return a text with the line breaks of the file, for a reader that ignores white space."""
        return self.lines.get(path, text)

    def place(self, path: Path) -> Place:
        """Return the place of a value, or of the nearest enclosing value that exists."""
        for size in range(len(path), -1, -1):
            if path[:size] in self.places:
                return self.places[path[:size]]
        return Place()

    def key_place(self, path: Path) -> Place:
        """Return the place of a value's key, or of the value if it has no key."""
        return self.keys.get(path) or self.place(path)


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
        raise YamlError(f"no YAML: {error.problem or error}{_hint(str(error.problem))}", place) from error
    except (yaml.YAMLError, RecursionError) as error:
        raise YamlError(f"no YAML: {str(error)[:200]}", Place()) from error
    reader = _Reader(text)
    found = YamlText(None, reader.places, reader.lines, reader.keys)
    found.value = None if node is None else reader.read(node, (), 0)
    return found


def write_yaml(value: Any, *, flow: bool = True) -> str:
    """Return plain values as YAML, which `read_yaml` reads as the same values. Names such as `on` need no quotes.

    With `flow`, innermost lists and mappings stand in brackets on a line of their parent.
    """
    need("Policy files", "yaml")
    import yaml

    flag = "tag:yaml.org,2002:bool"
    resolvers = {
        first: [own for own in listed if own[0] != flag or first in "tTfF"]
        for first, listed in yaml.SafeDumper.yaml_implicit_resolvers.items()
    }
    own = {"yaml_implicit_resolvers": resolvers, "ignore_aliases": lambda *_: True}
    dumper: Any = type("Writer", (yaml.SafeDumper,), own)
    dumper.add_representer(Decimal, lambda to, own: to.represent_scalar("tag:yaml.org,2002:float", f"{own:f}"))
    style = {"default_flow_style": None if flow else False}
    return str(yaml.dump(value, Dumper=dumper, sort_keys=False, allow_unicode=True, width=120, **style))


_HINTS = {
    "?": '; in braces a text that ends in ? goes in quotes: {"note?": text}',
    "mapping values are not allowed here": "; a text with ': ' in it goes in quotes",
    "but got ':'": "; a text with ': ' in it goes in quotes",
    "but got '<stream end>'": "; the brace or bracket before it is not closed",
    "expected ',' or '}'": "; in braces a text with [ ] { } or , in it goes in quotes",
    "but found '<scalar>'": "; look at the indentation; a text that begins with a quote, [ or { goes in quotes as one",
    "expected the node content": "; a text with a - before it, or with a # in it, goes in quotes",
    "expected <block end>": "; look at the indentation",
    "found character '\\t'": "; lines are indented by blanks, and a text with a tab goes in quotes",
    "cannot start any token": "; a text that begins with this character goes in quotes",
    "expected alphabetic or numeric": "; a text that begins with * or & goes in quotes",
    "sequence entries are not allowed": "; a text that begins with - goes in quotes",
    "mapping keys are not allowed": "; a text that begins with ? goes in quotes",
    "expected a comment or a line break": "; a text that begins with > or | goes in quotes",
}
"""Advice for each fault, by words of the parser's message."""


def _hint(problem: str) -> str:
    return next((hint for words, hint in _HINTS.items() if words in problem), "")


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self.places: dict[Path, Place] = {}
        self.lines: dict[Path, str] = {}
        self.keys: dict[Path, Place] = {}
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
        self._check_sign(node, place)
        if node.start_mark.line < node.end_mark.line and (lines := _lines(node, self._text)) is not None:
            self.lines[path] = lines
        return _scalar(node, place)

    def _check_sign(self, node: ScalarNode, place: Place) -> None:
        """Raise `YamlError` for a text that YAML would read as a tag or as an unused anchor."""
        word = self._text[node.start_mark.index : node.start_mark.index + _LONGEST_WORD]
        sign, name = word[:1], word[1:].split(None, 1)[:1]
        if (sign == "!" and word[1:2] != "!") or (sign == "&" and (not name or f"*{name[0]}" not in self._text)):
            raise YamlError(f"a text that begins with {sign} goes in quotes", place)

    def _is_bare(self, key: Node) -> bool:
        """Return whether a key has no colon."""
        return self._text[key.end_mark.index :][:_LONGEST_WORD].lstrip()[:1] != ":"

    def _mapping(self, node: MappingNode, path: Path, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key_node, value_node in node.value:
            place = Place(key_node.start_mark.line + 1, key_node.start_mark.column + 1)
            if key_node.id != "scalar":
                raise YamlError("a key has to be a text", place)
            key = str(key_node.value)
            if node.flow_style and value_node.value == "" and value_node.style is None and self._is_bare(key_node):
                raise YamlError(
                    f"{key!r:.60} has no value: in braces a comma begins another key, and a text with a comma goes in "
                    "quotes",
                    place,
                )
            if key == "<<" and not key_node.style:
                raise YamlError("merge keys (<<) are not read here", place)
            if key in found:
                raise YamlError(f"{key!r} stands twice", place)
            self.keys[*path, key] = place
            found[key] = self.read(value_node, (*path, key), depth + 1)
        return found


def _place(node: Node) -> Place:
    """Return the place of a value's first character. For a block it is the first line of its text."""
    mark = node.start_mark
    if node.id == "scalar" and node.style in ("|", ">"):
        return Place(mark.line + 2, 1)
    return Place(mark.line + 1, mark.column + (2 if node.id == "scalar" and node.style in ("'", '"') else 1))


def _lines(node: ScalarNode, text: str) -> str | None:
    """Return a text as written in the file, or None if it differs from the value in more than white space."""
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
