"""How deep a term is once its definitions are expanded."""

from __future__ import annotations

from holdtrue.logic.smtlib.terms import Call, Let, Operation, Quantified, SmtTerm


class Depths:
    """Depths in parentheses, as written; a call is as much deeper as the body of its definition is deep."""

    def __init__(self) -> None:
        self._bodies: dict[str, int] = {}

    def define(self, name: str, body: SmtTerm) -> None:
        """From now on `name` stands for a body."""
        self._bodies[name] = self.of(body)

    def of(self, term: SmtTerm) -> int:
        """The depth of a term; 0 for a constant that nothing defines. Without recursion."""
        deepest = 0
        stack = [(0, term)]
        while stack:
            depth, node = stack.pop()
            inside = depth + 1
            match node:
                case Let():
                    deepest = max(deepest, depth + 3)  # as in (let ((x ...
                    stack += [(depth + 3, bound) for _, bound in node.bindings]
                    stack.append((inside, node.body))
                case Quantified():
                    deepest = max(deepest, depth + 3)
                    stack.append((inside, node.body))
                case Operation():
                    deepest = max(deepest, inside)
                    stack += [(inside, operand) for operand in node.operands]
                case Call():
                    inside = (inside if node.operands else depth) + self._bodies.get(node.function.name, 0)
                    deepest = max(deepest, inside)
                    stack += [(inside, operand) for operand in node.operands]
        return deepest
