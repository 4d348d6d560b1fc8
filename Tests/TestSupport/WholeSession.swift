/// A session that uses every command that asks about models and stores.
package enum WholeSession {
  package static let lines = [
    "samples", "load sample:Topics", "loaded", "show Model1", "hash Model1.TopicList --properties",
    "hash Topics --all", "diff Model1 Model2", "try Model1.Topic.content optional NO",
    "infer Model1 try:Model1", "write try:Model1 Copy.xcdatamodeld/Strict",
    "load Copy.xcdatamodeld", "create made.sqlite --model Model1 --rows 12",
    "insert made.sqlite TopicList title='İstanbul ıssız'", "load made.sqlite --as phone",
    "metadata phone", "identify phone", "compare phone Model2", "validate phone",
    "rows phone TopicList --sort title --limit 20", "rows phone Topic --limit 12 --json",
    "count phone TopicList --where \"title CONTAINS[cd] 'istanbul'\"",
    "count phone Topic --where 'dateCreated < now()'",
    "sql phone 'SELECT ZTITLE, Z_PK FROM ZTOPICLIST ORDER BY ZTITLE'",
    "create other.sqlite --model Model1 --rows 12", "compare phone other.sqlite --rows",
    "delete other.sqlite TopicList p1",
    "create made.xml --model Model1 --rows 3", "infer Model2 Model3", "infer Topics",
    "mapping show sample:Topics/Model4ToModel5-1", "cloudkit Model5", "plan phone --to Model2",
    "trace migration 1", "migrate phone --to Model2 --dry-run", "trace migration 0",
    "doctor phone", "debug phone --to Model2", "step 3", "break pass 2", "watch Topic", "where",
    "explain", "state", "source Topic", "destination TopicList", "associations",
    "eval '$source.content.length'", "sql destination 'SELECT count(*) FROM ZTOPIC'", "log",
    "mark here", "next", "pass", "finish", "break --delete 2", "continue", "back 2", "goto here",
    "hop", "restart", "abandon", "create third.sqlite --model Model1 --rows 2",
    "debug third.sqlite --to Model2", "commit", "expect count phone TopicList 13",
    "expect not compatible phone Model2",
    "unload Copy",
  ]
}
