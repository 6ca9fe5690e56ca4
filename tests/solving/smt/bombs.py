"""Scripts that take for ever, or all memory there is."""

from __future__ import annotations

from holdtrue.logic.smtlib.script import Script, read_script


def pigeonhole(birds: int, holes: int) -> Script:
    """One bird more than holes, said pair by pair."""
    declared = "".join(f"(declare-const b{bird} Int)(assert (<= 1 b{bird} {holes}))" for bird in range(birds))
    apart = "".join(f"(assert (not (= b{i} b{j})))" for i in range(birds) for j in range(i))
    return read_script(declared + apart)


FERMAT = read_script("""
    (declare-const x Int) (declare-const y Int) (declare-const z Int)
    (assert (and (> x 0) (> y 0) (> z 0)))
    (assert (= (+ (* x x x) (* y y y)) (* z z z)))
""")
"""Nonlinear, and with no solution to find."""

LOOP = read_script("""
    (declare-fun f (Int) Int) (declare-fun g (Int) Int)
    (assert (forall ((x Int)) (= (f (g x)) (+ 1 (g (f x))))))
    (assert (forall ((x Int) (y Int)) (=> (< x y) (< (f x) (g y)))))
    (assert (< (f 0) (g (f (g 3)))))
""")
"""Quantifiers that give each other more and more to do."""


def doubling(levels: int) -> Script:
    """Definitions, each of which calls the one before twice: a small text, an exponentially large formula."""
    text = "(define-fun f0 ((x Int)) Int (+ x 1))"
    for level in range(1, levels):
        text += f"(define-fun f{level} ((x Int)) Int (+ (f{level - 1} (* x 3)) (f{level - 1} (+ x {level}))))"
    return read_script(f"{text}(declare-const y Int)(assert (= (f{levels - 1} y) 7))")
