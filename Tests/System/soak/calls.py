"""Calls of every method of the interfaces, with parameters made up from their declarations: some fit, some do not."""
from harness.interfaces import MODEL

# What would end the soak, or write where the test does not: named by hand, so that a new method takes part by itself.
LEFT_OUT = {
    "org.waymark.Recording.Start",  # of a path of its own; the soak records by itself
    "org.waymark.Calibration.Import", "org.waymark.Calibration.Reset", "org.waymark.Calibration.Start",
}
METHODS = [
    (interface, method) for interface in MODEL.interfaces for method in interface.methods
    if f"{interface.name}.{method.name}" not in LEFT_OUT]
# Methods that only read and need no parameters.
READING = [
    f"{interface.name}.{method.name}" for interface, method in METHODS
    if not {"changes", "aids", "more"} & method.notes.keys() and all(field.kind.optional for field in method.parameters)]
TEXTS = ["", "a", "fountain", "ü" * 50, "\U0001F6B6", "x" * 3000, "{}", "../../etc/passwd"]
NUMBERS = [0, 1, -1, 2, 0.5, 7.25, 47.3769, 8.5417, 1e20, -1e308, 5e-324, 2**53, 2**63 - 1]


def made_up_call(chance):
    interface, method = chance.choice(METHODS)
    parameters = {
        field.name: value(interface, field.kind, chance) for field in method.parameters
        if not field.kind.optional or chance.random() < 0.5}
    if chance.random() < 0.05:
        parameters[chance.choice(TEXTS) or "unknown"] = chance.choice(NUMBERS)
    return f"{interface.name}.{method.name}", parameters


def value(interface, kind, chance, depth=0):
    if chance.random() < 0.03:
        return chance.choice([chance.choice(TEXTS), chance.choice(NUMBERS), [], {}, True])
    if kind.wrapper == "[string]":
        return {chance.choice(TEXTS): chance.choice(TEXTS) for _ in range(chance.randrange(3))}
    if kind.wrapper:
        return [
            plain(interface, kind, chance, depth) for _ in range(chance.choice((0, 1, 1, 2, 5)))]
    return plain(interface, kind, chance, depth)


def plain(interface, kind, chance, depth):
    named = MODEL.named(interface, kind)
    if named is None:
        return {
            "bool": lambda: chance.random() < 0.5, "int": lambda: int(min(chance.choice(NUMBERS), 2**63 - 1)),
            "float": lambda: chance.choice(NUMBERS), "string": lambda: chance.choice(TEXTS), "object": dict,
        }[kind.name]()
    if named.words is not None:
        return chance.choice(named.words)
    if depth > 3:
        return {}
    return {
        field.name: value(interface, field.kind, chance, depth + 1) for field in named.fields
        if not field.kind.optional or chance.random() < 0.4}
