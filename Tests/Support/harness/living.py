"""What tests have started and not ended yet: shown when a test fails, ended when all tests are over."""


class Living:
    """A program or a guest from `enlist` to `delist`."""

    all = []

    def enlist(self):
        Living.all.append(self)

    def delist(self):
        if self in Living.all:
            Living.all.remove(self)

    def last_words(self):
        """Its name, and what the reader of a failed test wants to see of it."""
        raise NotImplementedError

    def end(self):
        raise NotImplementedError


def report_failure(report):
    """Adds the last words of all that runs to the report of a failed test."""
    for each in Living.all:
        name, words = each.last_words()
        report.sections.append((f"last words of {name}", words))


def end_all():
    for each in list(Living.all):
        each.end()
