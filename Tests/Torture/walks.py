"""Sessions in the stepper that must answer alike however often, and beside whatever else, they run."""

import random

RECIPES = """load sample:Recipes
create kitchen.sqlite --model Recipes1
insert kitchen.sqlite Chef name='Julia Child' training='Le Cordon Bleu'
insert kitchen.sqlite Chef name='Madhur Jaffrey' training=RADA
insert kitchen.sqlite Recipe name='Coq au vin' cuisine=French directions='Braise.' chef=p1
insert kitchen.sqlite Recipe name='Bouillabaisse' cuisine=French chef=p1
insert kitchen.sqlite Recipe name='Dal' cuisine=Indian chef=p2
insert kitchen.sqlite Recipe name='Toast'
insert kitchen.sqlite Ingredient name=Wine amount='1 bottle' recipes=p1
insert kitchen.sqlite Ingredient name=Lentils amount='200 g' recipes=p3
""".splitlines()
RECIPE_ENTITIES = ["Chef", "Cuisine", "Ingredient", "Recipe"]

TOPICS = """load sample:Topics
create topics.sqlite --model Model1 --rows 4
""".splitlines()

COMMANDS = 342


def looking():
    """Every object of both sides, between steps that are traced: 140 lines."""
    script = RECIPES + ["trace sql 1", "debug kitchen.sqlite --to Recipes2"]
    script += [f"destination {entity}" for entity in RECIPE_ENTITIES]
    script += [f"source {entity}" for entity in ["Chef", "Ingredient", "Recipe"]]
    for _ in range(24):
        script += ["step"] + [f"destination {entity}" for entity in RECIPE_ENTITIES]
    return script + ["abandon"]


def wandering(seed=1):
    """A notebook's commands: so many of the stepper, forward and back, with breakpoints, marks and traces."""
    choices = random.Random(seed)
    script = list(TOPICS)
    count = 0
    hikes = [
        ("debug topics.sqlite --to Model5 --strategy hybrid", "Topic", None),
        ("debug kitchen.sqlite --to Recipes2", "Recipe", "RecipeToRecipe"),
        ("debug topics.sqlite --to Model5 --strategy lightweight", "Topic", None),
    ]
    for place, (start, entity, mapping) in enumerate(hikes):
        if place == 1:
            script += RECIPES
        walk, wanted = Walk(choices, entity, mapping), COMMANDS * (place + 1) // len(hikes) - count
        script += [start] + walk.commands(wanted - 2) + ["abandon"]
        count += wanted
    assert count == COMMANDS
    return script


class Walk:
    """What somebody may type who steps through one migration."""

    def __init__(self, choices, entity, mapping):
        # Without a mapping, some hop is in place: there the destination is between two models.
        self.choices, self.entity, self.mapping = choices, entity, mapping
        self.marks = []
        self.breakpoints = 0

    def commands(self, count):
        return [self.command() for _ in range(count)]

    def command(self):
        kind = self.choices.choices(
            [self.forward, self.back, self.look, self.trace, self.mark, self.stop], [30, 18, 30, 8, 6, 8]
        )[0]
        return kind()

    def forward(self):
        return self.choices.choice(
            ["step", "step", "step 2", "step 3", "next", "pass", "finish", "hop", "continue"]
        )

    def back(self):
        return self.choices.choice(["back", "back 2", "back mapping", "back pass", "back hop", "restart"])

    def look(self):
        entity = self.entity
        table = f"Z{entity.upper()}"
        looks = [
            "where", "explain", "log 12", "source", f"source {entity}", f"source {entity}/p1",
            f"sql source 'SELECT * FROM {table} ORDER BY Z_PK'",
            "sql destination \"SELECT name FROM sqlite_master WHERE name LIKE 'Z%' ORDER BY name\"",
        ]  # fmt: skip
        if self.mapping:
            looks += ["destination", f"destination {entity}", "associations", f"associations {self.mapping}"]
        return self.choices.choice(looks)

    def trace(self):
        level = self.choices.randint(0, 4)
        own = " --own" if self.choices.random() < 0.3 else ""
        return self.choices.choice([f"trace sql {level}{own}", f"trace migration {min(level, 3)}"])

    def mark(self):
        if self.marks and self.choices.random() < 0.5:
            return f"goto {self.choices.choice(self.marks)}"
        self.marks.append(f"here{len(self.marks) + 1}")
        return f"mark {self.marks[-1]}"

    def stop(self):
        if self.breakpoints and self.choices.random() < 0.5:
            self.breakpoints -= 1
            return "break"
        self.breakpoints += 1
        return self.choices.choice(
            ["break error", "break pass 2", "break sql 'UPDATE*'", f"break {self.entity}/p2 --once"]
        )
