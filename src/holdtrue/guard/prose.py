"""Split the prose of a policy into numbered sentences, each with the headings and introductions above it.

The prose is Markdown or plain text. Headings, list items and rows of tables count as sentences, too, so that no part of
the text is without a number. The same text always gets the same numbers.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from holdtrue.language.sentences import whole_sentences

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode


@dataclass(frozen=True, slots=True)
class Sentence:
    """A `Sentence` is a numbered sentence, heading, list item or row of a table.

    Attributes:
        number: Its number in the prose, from 1.
        path: The headings above it, and the sentences that introduce its list, outermost first.
        line: The line in the file where its block begins, from 1.
        heading: Whether it is a heading.
    """

    number: int
    text: str
    path: tuple[str, ...] = ()
    line: int = 0
    heading: bool = False


@dataclass(frozen=True)
class Prose:
    """A `Prose` has the sentences of a text, in order.

    It is `edited` if its digest is not the one by which a policy refers to its sentences.
    """

    sentences: tuple[Sentence, ...]
    edited: bool = False

    @cached_property
    def digest(self) -> str:
        """Return a hash of the sentences and their paths. White space between the words does not change it."""
        text = json.dumps([[own.text, *own.path] for own in self.sentences], ensure_ascii=False)
        return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@lru_cache(maxsize=4)
def read_prose(text: str) -> Prose:
    """Return the numbered sentences of a text in Markdown, or of a plain one."""
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

    reader = _Reader()
    reader.read(SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(text)), ())
    return Prose(tuple(reader.found))


_NUMBERED = re.compile(r"(?:\u00a7 ?)?(\d+(?:\.\d+)*)[.)]? +\S[^\n]*[^\s.!?:;,]")
"""A line such as `2.3 Late returns`, which is the heading of a numbered section."""
_UNDER_HEADINGS = 6
"""The number of levels of Markdown's own headings. Numbered sections count as headings below them."""


@dataclass(slots=True)
class _Reader:
    """Walks through the blocks of a text."""

    found: list[Sentence] = field(default_factory=list)
    _headings: list[tuple[int, str]] = field(default_factory=list)

    def read(self, block: SyntaxTreeNode, lead: tuple[str, ...]) -> None:
        """Read the blocks inside of a block. `lead` are the sentences that introduce it."""
        last = ""
        for own in block.children:
            match own.type:
                case "heading":
                    self._heading(int(own.tag[1:]), _text(own), own)
                    last = ""
                case "paragraph" if _NUMBERED.fullmatch(_text(own)) and not lead:
                    section = _text(own).split()[0]
                    self._heading(_UNDER_HEADINGS + 1 + section.rstrip(".").count("."), _text(own), own)
                    last = ""
                case "bullet_list" | "ordered_list":
                    for item in own.children:
                        self.read(item, (*lead, last) if last else lead)
                case "blockquote":
                    self.read(own, lead)
                case "table":
                    self._add(_rows(own), lead, own)
                case "hr":
                    continue
                case _:
                    texts = whole_sentences(_text(own))
                    self._add(texts, lead, own)
                    last = texts[-1] if texts else ""

    def _heading(self, level: int, text: str, block: SyntaxTreeNode) -> None:
        self._headings = [own for own in self._headings if own[0] < level]
        self._add([text] if text else [], (), block, heading=True)
        self._headings.append((level, text))

    def _add(
        self, texts: Sequence[str], lead: tuple[str, ...], block: SyntaxTreeNode, *, heading: bool = False
    ) -> None:
        path = (*(text for _, text in self._headings), *lead)
        line = block.map[0] + 1 if block.map else 0
        for text in texts:
            self.found.append(Sentence(len(self.found) + 1, text, path, line, heading))


def _text(block: SyntaxTreeNode) -> str:
    """Return the text of a block without marks of bold type, links and code. Line breaks are blanks or kept."""
    if not block.children:
        return block.content.strip()
    parts = (piece for own in block.children if own.type == "inline" for piece in _pieces(own))
    return "".join(parts).strip()


def _pieces(inline: SyntaxTreeNode) -> Iterator[str]:
    for own in inline.children:
        match own.type:
            case "softbreak" | "hardbreak":
                yield "\n"
            case "em":  # The stars of `2*3*4` are no emphasis, so they are kept everywhere.
                yield from (own.markup, *_pieces(own), own.markup)
            case "html_inline":
                yield " "
            case _:
                yield from _pieces(own) if own.children else (own.content,)


def _rows(table: SyntaxTreeNode) -> list[str]:
    """Return a text for each row: its cells, each after the head of its column."""
    rows = [[_text(cell) for cell in row.children] for part in table.children for row in part.children]
    heads, *body = rows
    if not body:
        return [text for text in ("; ".join(filter(None, heads)),) if text]
    told = (
        "; ".join(f"{head}: {cell}" if head else cell for head, cell in zip(heads, row, strict=True) if cell)
        for row in body
    )
    return [text for text in told if text]
