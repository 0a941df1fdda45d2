"""A plural formula of gettext, an expression of C over n, as statements of Swift."""

import re

OPERATORS = (("||",), ("&&",), ("==", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))
LOGICAL = {"||", "&&", "==", "!=", "<", ">", "<=", ">="}


class Formula:
    """Reads the expression; each part is its Swift text and whether that is a Bool."""

    def __init__(self, text):
        self.text = text
        self.tokens = re.findall(r"\d+|n|[<>=!]=|\|\||&&|[-+*/%<>!?:()]", text)
        if "".join(self.tokens) != re.sub(r"\s", "", text):
            raise ValueError(f"{text}: no plural formula")

    def statements(self):
        """Lines that return the form."""
        found = list(self.choice())
        if self.tokens:
            raise ValueError(f"{self.text}: {self.tokens[0]} is left over")
        return found

    def take(self, *expected):
        if self.tokens and self.tokens[0] in expected:
            return self.tokens.pop(0)
        return None

    def need(self, token):
        if not self.take(token):
            raise ValueError(f"{self.text}: {token} is missing")

    def choice(self):
        first = self.binary(0)
        if not self.take("?"):
            yield f"return {self.number(first)}"
            return
        # The formulas of gettext's manual choose in the second half alone.
        then = self.binary(0)
        self.need(":")
        yield f"if {self.truth(first)} {{ return {self.number(then)} }}"
        yield from self.choice()

    def binary(self, level):
        if level == len(OPERATORS):
            return self.unary()
        left = self.binary(level + 1)
        while operator := self.take(*OPERATORS[level]):
            right = self.binary(level + 1)
            convert = self.truth if operator in ("||", "&&") else self.number
            left = (f"{convert(left)} {operator} {convert(right)}", operator in LOGICAL)
        return left

    def unary(self):
        if self.take("!"):
            return (f"!({self.truth(self.unary())})", True)
        if self.take("("):
            inner = self.binary(0)
            self.need(")")
            return (f"({inner[0]})", inner[1])
        if not self.tokens or not re.fullmatch(r"\d+|n", self.tokens[0]):
            raise ValueError(f"{self.text}: a number or n is missing")
        return (self.tokens.pop(0), False)

    @staticmethod
    def truth(part):
        return part[0] if part[1] else f"({part[0]}) != 0"

    @staticmethod
    def number(part):
        text = part[0][1:-1] if re.fullmatch(r"\([^()]*\)", part[0]) else part[0]
        return f"{text} ? 1 : 0" if part[1] else part[0]


def swift(formula):
    """The statements of a function of n, which is an Int and not negative."""
    text = formula.strip()
    while re.fullmatch(r"\(.*\)", text) and balanced(text[1:-1]):
        text = text[1:-1]
    return Formula(text).statements()


def balanced(text):
    depth = 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth < 0:
            return False
    return depth == 0
