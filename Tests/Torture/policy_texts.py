"""Policy files and stages files that say everything once, and the mapping model that names the policies."""

# For the models of `method_models`: by MAPPING, entity mappings of animals and cats have the policy P, houses Q,
# people R, tags T.
POLICIES = [
    "policy P\n  skip when $source.legs > 3\n  one destination for each $source.name\n",
    "policy P\n  set name = uppercase:($source.name)\n  set legs = $source.legs * 2\n  set price = nil\n",
    "policy T\n  split $source.label at ' ' into label, label\n  join label, 'x' with '-' into label\n",
    "policy R\n  in relationships: set favourite = find Animal where name == 'a'\n  keep first of pets by name descending\n",
    "policy R\n  set house = find or create House where number == $source.age\n",
    "policy Q\n  set keeper = create Person with age = 3, height = 1.5\n  delete when number == 2\n",
    "policy Q\n  in begin: find or create Tag where label == 'none'\n  in end of creation: set number = 9\n",
    "policy P\n  require name != nil, \"no name: \\(legs)\"\n  in end: require legs >= 0, \"legs\"\n",
    "policy P for CatToCat in Roads from First to Small\n  in end of relationships: delete when lives == nil\n",
    "policy 'P' # the animals\n  method twice:$a of:$b = $a + $b * 2\n  set legs = FUNCTION($entityPolicy, 'twice:of:', 1, 2)\n",
    "policy ChefToChef\n  split $source.name at ' ' into firstName, lastName\npolicy RecipeToCuisine\n"
    "  skip when $source.cuisine == nil\n  one destination for each $source.cuisine\n",
]  # fmt: skip

MAPPING = """\
AnimalToAnimal: Animal -> Animal
  policy P

CatToCat: Cat -> Cat
  policy P

DogToDog: Dog -> Dog

HouseToHouse: House -> House
  policy Q

PersonToPerson: Person -> Person
  policy R

TagToTag: Tag -> Tag
  policy T
"""

# For the sample Topics.
STAGES = [
    "stage lightweight Model1, Model2, Model3\nstage custom Model3 -> Model4\n"
    '  will: Topic: require timeBudget < 1000, "\\(title) has seconds"\n'
    "  did: Topic: set timeBudget = timeBudget * 60\nstage lightweight Model5\n",
    'stage custom Model1 -> Model2\n  will: Topic: set presenterName = "nobody" when presenterName == nil\n'
    "  did: Topic: set content = uppercase:(content)\n  did: Topic: require presenterName != \"\", \"none\"\n",
    "stage custom Model4 -> Model5\n  will: TopicList: split title at ' ' into title, title\n"
    "  will: run Check.strata # more\n  did: Topic: join title, title with ' '\n      into title\n",
    "stage custom Model2 -> Model3\n  will: Topic: set topicList = find or create TopicList where title == 'x'\n"
    "stage lightweight Model4, Model5\n",
    "stage lightweight Model1, Model2\nstage custom Model2 -> Model3\n  will: policy TopicToTopic on Topic\n"
    "stage lightweight Model3, Model4, Model5\n",
]
