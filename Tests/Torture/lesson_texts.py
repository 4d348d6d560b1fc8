"""Lessons to mutate: one with a question of each kind, and one with two tasks."""

LESSONS = [
    """# Lists

What a list is.

```strata
> create lists.sqlite --model sample:Topics/Model1
> insert lists.sqlite TopicList title='First steps'
```

<!-- ask one: How many lists are there?
  - none  one was inserted
  - one   * one was inserted
-->

```strata
> count lists.sqlite TopicList
1
```

<!-- ask all: What is true?
  - it is valid  * yes
  - it is empty  one was inserted
  - its hashes are those of Model1
      * yes
-->

<!-- ask text: Which entity is it?
  - TopicList  * it is
  - ...        look at the command
-->
""",
    """# Talks

What a talk is.

<!-- task: Create talks.sqlite with one talk.
  check: count talks.sqlite Topic 1  there is no talk
  check: not count talks.sqlite Topic 0
-->
<!-- hint: Which command creates a store? -->
<!-- hint: `create`, then `insert`. -->
```strata
> create talks.sqlite --model sample:Topics/Model1
> insert talks.sqlite Topic content=x presenterName=y
```

Another one.

<!-- task: Name its presenter.
  check: value talks.sqlite Topic.presenterName p2 'Ada'
-->
<!-- hint: `help insert` -->
```strata
> insert talks.sqlite Topic content=x presenterName=Ada
```

The end.
""",
]
