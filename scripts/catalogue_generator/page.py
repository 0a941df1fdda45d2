"""The page for native speakers: what is said, in all languages beside each other."""

#: Distances of the first tables: kilometres, tenths of one, metres.
DISTANCES = (("metres", 1), ("metres", 2), ("metres", 5), ("metres", 21), ("metres", 40), ("kilometres", 1), ("tenths", 12),
             ("kilometres", 5))
#: The placeholders of distances, with what their messages end in, and a sentence that has it.
CASES = {
    "distanceAhead": ("Ahead", "turnLeftAhead", "After which distance something comes"),
    "distanceAway": ("Away", "destinationDistance", "At which distance something lies"),
    "distance": ("", "startDistance", "A length by itself"),
}
#: Distances on labels, with the message of each.
SHOWN = (("metresShown", 42, {"count": 42}), ("tenthsShown", 1200, {"whole": 1, "tenths": 2}),
         ("kilometresShown", 12_000, {"count": 12}))
#: Angles that show the grammar. Unit: degrees.
ANGLES = (1, 2, 5, 21)
NAME = "Café Rose"
INSTRUCTION = "Turn left onto Long Lane"

HEAD = """# Announcements in all languages

What the daemon says and shows to the wearer, for a check by native speakers. This page is made of the catalogues,
`po/*.po`, by `scripts/catalogues` (`make format`): correct the catalogue of your language, not this page. The name of the
destination and the instruction of a routing service are not translated; here they are “Café Rose” and “Turn left onto Long
Lane”. Nor are the names of a floor plan and its level, here “Main Station” and “2”.

A good sentence is short, is what walkers expect of a navigation, and can be understood at once when it is heard without
being seen. It has to be right with any name of a destination, whatever its gender and number, and each distance has to
have the grammatical form that its sentence asks for.
"""


def say(catalogue, name, **values):
    message = next(found for found in catalogue.messages if found.name == name)
    return message.forms[0].format(**values)


def distance(catalogue, placeholder, unit, number):
    """A distance in the form for a placeholder."""
    message = next(found for found in catalogue.messages if found.name == unit + CASES[placeholder][0])
    whole = number // 10 if unit == "tenths" else number
    return message.forms[catalogue.form(whole)].format(count=number, whole=whole, tenths=number % 10)


def angle(catalogue, number):
    message = next(found for found in catalogue.messages if found.name == "degrees")
    return message.forms[catalogue.form(number)].format(count=number)


def sentence(catalogue, name, unit="metres", number=40, degrees=17):
    values = {placeholder: distance(catalogue, placeholder, unit, number) for placeholder in CASES}
    values |= {"destination": NAME, "instruction": INSTRUCTION, "degrees": angle(catalogue, degrees), "plan": "Main Station",
               "level": "2"}
    if name == "startThenTurn":
        values |= {"start": sentence(catalogue, "startDistance"), "turn": sentence(catalogue, "turnLeftAhead")}
    return say(catalogue, name, **values)


def table(catalogues, first, rows):
    yield "| " + " | ".join([first, *(catalogue.own_name for catalogue in catalogues)]) + " |"
    yield "|---" * (len(catalogues) + 1) + "|"
    for name, texts in rows:
        yield "| " + " | ".join([name, *texts]) + " |"


def page(catalogues):
    lines = [HEAD, "## Distances", "",
             "One metre and such are never said, since distances are rounded; they show the grammar.", ""]
    for _, example, title in CASES.values():
        rows = (("1.2 km" if unit == "tenths" else f"{number} {'m' if unit == 'metres' else 'km'}",
                 [sentence(catalogue, example, unit, number) for catalogue in catalogues]) for unit, number in DISTANCES)
        lines += [f"### {title}", "", *table(catalogues, "Distance", rows), ""]
    rows = ((f"{number} m", [say(catalogue, name, **values) for catalogue in catalogues]) for name, number, values in SHOWN)
    lines += ["### On labels", "", *table(catalogues, "Distance", rows), ""]
    rows = ((f"{number}°", [sentence(catalogue, "contentTurnedLeft", degrees=number) for catalogue in catalogues])
            for number in ANGLES)
    lines += ["## Angles", "", *table(catalogues, "Angle", rows), ""]
    sizes = {unit + ending for unit in ("metres", "kilometres", "tenths") for ending, _, _ in CASES.values()}
    sizes |= {"degrees", *(name for name, _, _ in SHOWN)}
    rows = ((f"`{message.name}`", [sentence(catalogue, message.name) for catalogue in catalogues])
            for message in catalogues[0].messages if message.name not in sizes)
    return "\n".join([*lines, "## Sentences", "", *table(catalogues, "Context", rows)]) + "\n"
