"""Sessions to mutate: scripts and notebooks with recorded answers, and lines as they are typed."""

import re

import text_mutations

# What the documents may read lies in these places, beside the document's own folder.
LINES = b"""\
load sample:Topics
load good/store.sqlite --as phone
load good/Topics.xcdatamodeld/Model3.xcdatamodel --as app
loaded
unload Recipes
samples --json
show Model1
show Model1.Topic
show Model4.Topic.timeBudget --json
show sample:Recipes/Recipes1.Recipe
show phone
hash Model1
hash Topics --all --json
hash Model1.Topic --explain
hash Model1.TopicList.title --properties
hash Model1+Recipes1
diff Model1 Model2
diff Model2 Model3 --all --json
try Model1.Topic.content optional NO
try Model1.Topic add attribute rating attributeType='Integer 16' defaultValueString=0
try Model1.Topic add relationship self destinationEntity=Topic inverseName=self inverseEntity=Topic toMany=YES
try Model1 add entity Place isAbstract=YES userInfo.key='a value' parentEntity=Topic
try Model1.Topic add constraint content,presenterName
try Model1.TopicList rename Basket
try Model1.Topic.content rename body
try Model1.Topic.content remove
try Model1.Topic.dateCreated defaultDateTimeInterval 599616000
try Model1.Topic.topicList maxCount 99 --json
try Model1.Topic.content meaning 'text of the talk'
try Model1.Topic.content derivationExpression 'uppercase:(presenterName)'
try Model1.Topic.content derivationExpression 'topicList.topics.@count'
try --reset
diff Model1 try:Model1
compare phone Model1
compare phone try:Model1
identify phone
identify phone Topics --json
metadata phone --reveal
infer Model2 Model3
infer Model1 try:Model1 --json
plan phone --to Model5
rows phone Topic --where "content BEGINSWITH[cd] 'h' OR topicList.title == nil" --sort topicList.title:desc
rows phone TopicList --json --limit 1
count phone Topic --where "SUBQUERY(topicList.topics, $t, $t.content LIKE '*a?').@count > 1"
count phone TopicList --where "ANY topics.dateCreated BETWEEN {0, '2024-01-31'} AND NOT title IN {'a', nil}"
count phone Topic --where "TERNARY(content MATCHES '[a-z]+', 1, content.length ** 2) / 2 != 3" --explain
sql phone 'SELECT count(*), max(length(ZCONTENT)) FROM ZTOPIC GROUP BY ZTOPICLIST'
validate phone
compare phone good/store.sqlite --rows
create made.sqlite --model Model1 --rows 2
insert phone Topic content=x presenterName=y topicList=p1
delete phone TopicList p1
write Model1 Made.xcdatamodeld/Next --current
trace migration 1
migrate phone --to Model2 --dry-run
migrate phone --to try:Model1 --dry-run --json
infer Topics --all
infer Model1 try:Model1 --split
mapping show Model4ToModel5-1
mapping lint Model4ToModel5-1 Model4ToModel5-2
mapping write Model1ToModel2 M.mapping --force
mapping diff Model1ToModel2 Model3ToModel4 --json
mapping find Model3 Model4
mapping fits Recipes1ToRecipes2
infer Recipes1 Recipes2 --write R.xcmappingmodel --force
cloudkit Model4 Model5
help references
help try
""".splitlines()

# These belong together.
STEPS = b"""\
debug phone --to Model5 --strategy hybrid
break TopicToTopic --when '$source.presenterName == "Ann"'
watch Member
step 3
source Topic --where 'content != nil'
destination Topic/p1
back 2
goto 9
continue
eval '$source.title.length * 0.2'
associations --limit 2
sql destination 'SELECT count(*) FROM sqlite_master'
back pass
explain
where
log 3
abandon
""".splitlines()

HEADS = [b"load sample:Topics", b"load sample:Recipes", b"load good/store.sqlite --as phone"]


def typed_lines():
    """Scripts without answers: a few commands after what they need."""
    groups = [LINES[start::7] for start in range(7)] + [STEPS]
    return [{"": b"\n".join(HEADS + lines) + b"\n"} for lines in groups]


def mutate(rng, files, others):
    return {"": text_mutations.mutate(rng, files[""], others[""])}


def mutate_typed(rng, files, others):
    """The first lines mostly stay, so that the others have something to work on."""
    lines = files[""].split(b"\n")
    head, body = lines[: len(HEADS)], lines[len(HEADS) :]
    rng.shuffle(body)
    mutant = text_mutations.mutate(rng, b"\n".join(body[:6]), others[""])
    if rng.random() < 0.1:
        head = text_mutations.mutate(rng, b"\n".join(head), others[""]).split(b"\n")
    return {"": b"\n".join(head + mutant.split(b"\n"))}


def is_harmless(text):
    """Whether a script cannot write whatever it says: `run` may, where `replay` may not."""
    plain = re.sub(rb"[^a-z]", b"", text.lower())
    return not any(word in plain for word in (b"save", b"write", b"create", b"insert", b"delete", b"commit"))
