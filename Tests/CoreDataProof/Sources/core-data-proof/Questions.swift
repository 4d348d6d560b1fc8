extension Question {
  /// Every rule that Strata could not prove on Linux: `--questions` prints them as Docs/MAC-QUESTIONS.md.
  static let table = #"""
    hash.samples | Facts/version-hash 8 | the hashes of all versions of the samples | samples hashes
    hash.random x10 | Facts/version-hash 8 | the hashes of random models | random hashes
    hash.corpus | Facts/version-hash 8 | the hashes of the models in the folder of `--corpus` | corpus
    hash.emptyModifier | Facts/version-hash 1 | an empty hash modifier counts as none | hashes A: n int16 versionHashModifier=
    hash.derivation.now | Facts/version-hash 2 | `now:()` is hashed as its text | hashes A: d date derived=YES derivationExpression=now:()
    hash.derivation.canonical | Facts/version-hash 2 | `canonical:(x)` is hashed as its text | hashes A: x str, d str derived=YES derivationExpression=canonical:(x)
    hash.derivation.uppercase | Facts/version-hash 2 | `uppercase:(x)` is hashed as its text | hashes A: x str, d str derived=YES derivationExpression=uppercase:(x)
    hash.derivation.sum | Facts/version-hash 2 | `sum:(bs.n)` is hashed as its text | hashes A: d int64 derived=YES derivationExpression=sum:(bs.n), bs ->> B.a; B: n int64, a -> A.bs
    hash.derivation.atSum | Facts/version-hash 2 | `bs.@sum.n` is hashed as `sum:(bs.n)` | hashes A: d int64 derived=YES derivationExpression=bs.@sum.n, bs ->> B.a; B: n int64, a -> A.bs
    hash.composite.nested | Facts/version-hash 2 | a composite inside a composite is hashed as its elements | hashes A: c comp.Outer; composite Outer: i comp.Inner, n int16; composite Inner: x str, y dbl
    hash.ownInverse.toOne | Facts/version-hash 8 | a to-one relationship that is its own inverse is hashed without an inverse | hashes A: r -> A.r
    hash.ownInverse.ordered | Facts/version-hash 8 | so is an ordered one | hashes A: r ->> A.r ordered
    hash.ownInverse.inherited | Facts/version-hash 3 | a subentity hashes an inherited own inverse as its parent does | hashes A: r ->> A.r; B < A: n int16
    hash.inverse.subentity | Facts/version-hash 8 | an inverse that the destination inherits is the relationship itself | hashes A: r ->> B.r; B < A: n int16
    hash.redeclared | Facts/version-hash 8 | a property that is declared again although it is inherited is an error | refused A: n int16; B < A: n int16
    hash.names | Facts/version-hash 8 | names beyond ASCII are sorted by their bytes | hashes Éa: z int16, é int16, a int16, 漢 int16; Zé: ä str, a str
    hash.toManyMaxCountOne | Facts/model-format 2 | `toMany` with `maxCount` 1 is to-one | hashes A: r ->> B.s maxCount=1; B: s -> A.r
    schema.samples | Facts/sqlite-schema 11 | the schema of every sample | samples schema
    schema.random x10 | Facts/sqlite-schema 5 | the schema of random models | random schema
    open.samples | Facts/sqlite-schema 11 | Core Data opens a store of every sample and reads its objects | samples opened
    open.random x10 | Facts/sqlite-schema 11 | Core Data opens stores of random models and reads their objects | random opened
    schema.entityCase | Facts/sqlite-schema 4 | a model with entities whose names differ in case only gets no store | schema Text: n int16; TEXT: m int16
    schema.attributeCase | Facts/model-format 5 | of two attributes whose names differ in case, the second column has a number | schema A: text str, Text str
    schema.orderColumns | Facts/sqlite-schema 5.4 | order columns: by the parent entity's name, then by a hash table of the names | schema P: xs ->> X.p ordered, ys ->> X.q ordered, zs ->> X.o ordered; X: p -> P.xs, q -> P.ys, o -> P.zs
    schema.entityColumn | Facts/sqlite-schema 5.5 | an entity column has the number of a destination below the root | schema A: n int16; B < A: m int16; C < B: o int16; D: b -> B
    schema.blobOrder | Facts/sqlite-schema 5.3 | binary columns: for each entity UUID, Transformable, Binary | schema A: a bin, u uuid, t trans; B < A: b trans, c bin, d uuid; C < A: e trans, f uri
    schema.compositeNames | PROOF Migrations | a composite element with the name of an attribute gets a number | schema A: c comp.C, x int16; composite C: x int16, y str
    schema.configuration | PROOF Stores that Strata writes | a store of a configuration has the tables of its entities only | schema A: n int16; B: m int16; C: o int16; configuration Some: A B => Some
    schema.derivedTriggers | Facts/sqlite-schema 7.5 | which triggers `sum:`, `canonical:` and `now:` have; Strata writes none | schema A: x str, c str derived=YES derivationExpression=canonical:(x), t date derived=YES derivationExpression=now:(), s int64 derived=YES derivationExpression=sum:(bs.n), bs ->> B.a; B: n int64, a -> A.bs
    schema.expressionIndex | PROOF Stores that Strata writes | which index an expression has; Strata leaves it out | schema A: x str, <fetchIndex name="low"><fetchIndexElement expression="lowercase:(x)" expressionType="String" type="Binary" order="ascending"/></fetchIndex>
    schema.partialIndex | PROOF Stores that Strata writes | which index a predicate has; Strata leaves it out | schema A: n int16, <fetchIndex name="few" predicate="n &gt; 5"><fetchIndexElement property="n" type="Binary" order="ascending"/></fetchIndex>
    schema.indexOfSubentity | Facts/sqlite-schema 7 | an index of a subentity is created once | schema A: n int16, index byN n; B < A: m str, index byBoth n+m; C < A: unique n
    joinTable.withinEntity x20 | Facts/sqlite-schema 6 | which end of a many-to-many relation within one entity owns the table | joinTables pair
    joinTable.clash x6 | Facts/sqlite-schema 6 | which of two clashing join tables of one owner keeps the bare column name | joinTables clash
    joinTable.ownInverse | Facts/sqlite-schema 6 | a pair of a relationship that is its own inverse has two rows | stored A: n int16, r ->> A.r => sqlite => Z_1R
    store.notANumber | Facts/sqlite-schema 5.2 | how NaN is stored in a DECIMAL column | notANumber
    external.size | Facts/sqlite-schema 8 | values above 100,000 bytes are in files | externalSizes
    history.numbers | Facts/sqlite-schema 9 | a migration that renumbers entities changes `ZENTITY` in the history | migration B: n int16; C: m str => A: o int16; B: n int16; C: m str => history
    history.removedEntity | PROOF Migrations | the history of a removed entity is deleted | migration A: n int16; B: m str => B: m str => history
    xml.types | Facts/binary-store 2 | Strata reads every type in an XML store of Core Data's | stored A: a int16, b int32, c int64, d dec, e dbl, f flt, g str, h bool, i date, j bin, k uuid, l uri => xml
    xml.written | Facts/binary-store 2 | Core Data reads every type in an XML store of Strata's | opened A: a int16, b int32, c int64, d dec, e dbl, f flt, g str, h bool, i date, j bin, k uuid, l uri => xml
    binary.order | Facts/binary-store 1 | values of a binary store are in the order of the attributes' names | stored A: z str, b int16; B < A: a int32, y str => binary
    binary.types | Facts/binary-store 1 | Decimal, UUID, URI and every other type in a binary store | stored A: a int16, b int32, c int64, d dec, e dbl, f flt, g str, h bool, i date, j bin, k uuid, l uri => binary
    binary.derived | Facts/binary-store 1 | a derived attribute in a binary store | stored A: a int16, d int64 derived=YES derivationExpression=bs.@count, z str, bs ->> B.a; B: a -> A.bs => binary
    binary.external | Facts/binary-store 1 | data that could be external in a binary store | stored A: a str, x bin allowsExternalBinaryDataStorage=YES => binary
    binary.ordered | Facts/binary-store 1 | the order of an ordered relationship in a binary store | stored A: n int16, bs ->> B.a ordered; B: a -> A.bs => binary
    binary.transformable | Facts/binary-store 1 | a transformable value in a binary store | stored A: n int16, t trans => binary
    binary.composite | Facts/binary-store 1 | a composite in a binary store; Strata refuses it | stored A: n int16, c comp.C; composite C: x int16, y str => binary
    binary.trailingBytes | Facts/binary-store 1 | how Core Data reads bytes after the metadata | changedBinary trailing
    binary.lowHighestKey | Facts/binary-store 1 | how Core Data reads a highest key that is too low | changedBinary key
    deletion.denySameDeletion | Facts/deletion Deleting an object | Deny ignores objects that the same deletion deletes | deletion A: bs ->> B.a deletionRule=Deny, cs ->> C.a deletionRule=Cascade; B: a -> A.bs, c -> C.bs; C: a -> A.cs, bs ->> B.c deletionRule=Cascade => A/p1 => A => C a=p1 => B a=p1 c=p1
    deletion.joinRows | Facts/deletion Deleting an object | rows of a join table are deleted whatever the rule | deletion A: bs ->> B.as deletionRule=No^Action; B: as ->> A.bs => A/p1 => A => A => B as=p1,p2
    deletion.noAction | Facts/deletion Deleting an object | with No Action a required inverse keeps its key and is not validated | deletion A: bs ->> B.a deletionRule=No^Action; B: a -> A.bs! => A/p1 => A => B a=p1
    deletion.versions | Facts/deletion Deleting an object | `Z_OPT` grows once in rows that change; an owner that lost an object keeps it | deletion A: n int16, bs ->> B.a; B: m int16, a -> A.bs => B/p1 => A n=1 => B m=1 a=p1 => B m=2 a=p1
    deletion.order | Facts/deletion Deleting an object | order keys of the remaining objects and `Z_MAX` stay | deletion A: n int16, bs ->> B.a ordered; B: m int16, a -> A.bs => B/p2 => A n=1 => B m=1 a=p1 => B m=2 a=p1 => B m=3 a=p1
    deletion.nullify | Facts/deletion Deleting an object | a cleared inverse: key and order key | deletion A: n int16, bs ->> B.a ordered; B: m int16, a -> A.bs => A/p1 => A n=1 => B m=1 a=p1
    deletion.externalFile | Facts/deletion Deleting an object | the file of external data is deleted with its object | deletion A: x bin allowsExternalBinaryDataStorage=YES => A/p1 => A x=@value
    deletion.required | Facts/deletion Deleting an object | a required inverse stops a deletion | deletion A: bs ->> B.a; B: a -> A.bs! => A/p1 => A => B a=p1
    inference.samples | Facts/inference 2 | inference between the versions of samples | samples inference
    inference.random x10 | Facts/inference 2 | inference between random models | random inference
    inference.typePairs x13 | Facts/inference 5 | numbers and Boolean become each other; no other type becomes another one | typePairs
    inference.edits x36 | Facts/inference 4 | which hashes an edit of `try` changes, and what is inferred | edit
    inference.identifierIsName | Facts/inference 1 | an identifier may be the name of an element that nothing else matches | inference A: old str elementID=first => A: new str elementID=old
    inference.identifierTwice | Facts/inference 1 | several elements with one identifier: an obstacle | inference A: x str elementID=i, y str elementID=i => A: z str elementID=i
    inference.entities | Facts/inference 2 | all entities of both models have an entity mapping, abstract ones too | inference P abstract: x str; C < P: n int16; Gone: g str => P abstract: x str; C < P: m int16 elementID=n; New: y str
    inference.expressions | Facts/inference 3 | an inferred attribute is `$source.old`, a relationship a function of the manager | inference A: n int16, gone str, bs ->> B.a; B: a -> A.bs => A: m int16 elementID=n, k str, bs ->> B.a; B: a -> A.bs, z str => expressions
    inference.persistentToTransient | Facts/inference 4 | persistent to transient is a removal | migration A: n int16, x str => A: n int16, x str transient=YES => schema
    inference.toManyToToOne | Facts/inference 4 | to-many to to-one is inferred, and keeps the first object | migration A: bs ->> B.as; B: as ->> A.bs => A: b -> B.as elementID=bs; B: as ->> A.b
    inference.mergedHierarchies | Facts/inference 4 | two hierarchies cannot become one | inference A: n int16; B: m int16 => P abstract: p str; A < P: n int16; B < P: m int16
    inference.parentRemoved | Facts/inference 4 | entities may leave a hierarchy | migration P: p str; A < P: n int16; B < P: m int16 => P: p str; A < P: n int16; B: m int16
    inference.unorderedToOrdered | Facts/inference 4 | unordered to ordered: the order of the keys | migration A: bs ->> B.a; B: a -> A.bs => A: bs ->> B.a ordered; B: a -> A.bs
    migration.samples | Facts/migration-process 2.3 | each hop of the samples, inferred | samples migration
    migration.random x20 | Facts/migration-process 2.3 | random edits of random models | random migration
    migration.requiredToOne | Facts/inference 4 | a new required to-one relationship has no value | migration A: n int16; B: m int16 => A: n int16, b -> B.as!; B: m int16, as ->> A.b
    migration.numbers | PROOF Migrations | a number out of range becomes nil or the default; fractions are truncated | migration A: a dbl, b int64, c dbl! =1.5, d int32 => A: a int16, b int16, c int32! =7, d int16
    migration.booleans | PROOF Migrations | a number is true unless it is 0 | migration A: a int16, b dbl, c dec, d bool => A: a bool, b bool, c bool, d dbl
    migration.optionalToRequired | Facts/inference 4 | missing values get the default | migration A: n int16, x str => A: n int16! =3, x str! =none
    migration.missingValues | Facts/inference 4 | without a default 134110 | migration A: n int16, x str => A: n int16!, x str
    migration.bothToOne | PROOF Migrations | if both ends become to-one, the end that comes first chooses first | migration A: bs ->> B.as; B: as ->> A.bs => A: b -> B.a elementID=bs; B: a -> A.b elementID=as
    migration.orderedToToOne | PROOF Migrations | the first object in the order of the source is kept | migration A: bs ->> B.as ordered; B: as ->> A.bs => A: b -> B.as elementID=bs; B: as ->> A.b
    migration.crossedEnds | PROOF Migrations | ends that get another inverse: one list for both | migration A: r -> B.s, t -> B.u; B: s ->> A.r, u ->> A.t => A: r -> B.u, t -> B.s; B: s ->> A.t, u ->> A.r
    migration.ownInverse | PROOF Migrations | a relationship that becomes its own inverse has each link in both directions | migration A: r ->> A.s, s ->> A.r => A: r ->> A.r
    migration.renamedRoot | PROOF Migrations | a renamed root entity: a new table | migration Old: n int16, unique n => New elementID=Old: n int16, unique n => schema
    migration.droppedIndex | PROOF Migrations | indexes and constraints that only the old model has are dropped | migration A: n int16, x str, index byN n, unique x; B: m str => A: n int16, x str, y str; B: m str => schema
    migration.derivedAdded | PROOF Migrations | a new derived attribute is computed | migration A: n int16, bs ->> B.a; B: a -> A.bs => A: n int16, d int64 derived=YES derivationExpression=bs.@count, bs ->> B.a; B: a -> A.bs => schema
    migration.externalOption | Facts/sqlite-schema 8 | a changed option of external storage rewrites the values | migration A: x bin allowsExternalBinaryDataStorage=YES, y bin => A: x bin, y bin allowsExternalBinaryDataStorage=YES
    migration.renumbered | Facts/migration-process 7 | an entity that comes first renumbers all others | migration M: n int16, os ->> O.ms; O: ms ->> M.os ordered; P: o -> O => A: x str; M: n int16, os ->> O.ms; O: ms ->> M.os ordered; P: o -> O => schema
    migration.duplicates | Facts/inference 4 | a new uniqueness constraint that objects violate: an error | migration A: h bool => A: h bool, unique h
    migration.moved | Facts/inference 4 | a property that moves to the parent: the default for the other rows | migration P: p str; A < P: n int16; B < P: m int16 => P: p str, n int16 =4; A < P: o str; B < P: m int16
    deferred.statements | Facts/migration-process 5 | which statements are postponed | migration A: n int16, gone str; B: x str => A: n int16 => deferred
    staged.interruption | Facts/migration-process 4 | each stage commits | interruptedStages
    passes.opened | PROOF Inference and mapping models | Xcode compiles a mapping model of Strata's, which gives the same objects; keys are in the order of pass 1 | passes A: n int16, bs ->> B.a; B: a -> A.bs => A: n int16, m str, bs ->> B.a; B: a -> A.bs
    passes.subentities | Facts/migration-process 1 | source objects are those of the entity without its subentities | passes P: p str; A < P: n int16; B < A: m str => P: p str, q str; A < P: n int16; B < A: m str
    passes.external | Facts/migration-process 1 | external data are written into the new store's folder | passes A: x bin allowsExternalBinaryDataStorage=YES => A: x bin allowsExternalBinaryDataStorage=YES, n int16
    passes.renamed | Facts/migration-process 3 | the types of entity mappings between entities of different names | passes A: n int32; Gone: x str => B elementID=A: n int32, m int32; New: y str
    mapping.choice | MAPPING-CHOICE The rule | which of several mapping models that fit Core Data uses | mappingChoice
    predicate.missing | PROOF Expressions, predicates and browsing | a comparison with a missing value is false | predicate n < 5
    predicate.not | PROOF Expressions, predicates and browsing | its negation is true | predicate NOT n < 5
    predicate.notEqual | PROOF Expressions, predicates and browsing | `!=` is true for a missing value | predicate n != 5
    predicate.order | PROOF Expressions, predicates and browsing | texts are ordered by their bytes | predicate t < 'a'
    predicate.beyondASCII | PROOF Expressions, predicates and browsing | so are letters beyond ASCII | predicate t > 'z'
    predicate.division | PROOF Expressions, predicates and browsing | integer division truncates | predicate n / 2 == 3
    predicate.byZero | PROOF Expressions, predicates and browsing | a division by zero gives a missing value | predicate n / 0 == nil
    predicate.average | PROOF Expressions, predicates and browsing | `@avg` counts a missing value as zero | predicate bs.@avg.m == 1
    predicate.all | PROOF Expressions, predicates and browsing | ALL is true for an empty relationship | predicate ALL bs.m > 1
    predicate.sum | PROOF Expressions, predicates and browsing | the sum of nothing is 0 | predicate bs.@sum.m == 0
    log.level1 | Facts/debug-logs 5 | the lines of SQLDebug and MigrationDebug 1 during a migration | log 1
    log.level2 | Facts/debug-logs 5 | the same of level 2 | log 2
    log.level3 | Facts/debug-logs 5 | the same of level 3 | log 3
    log.level4 | Facts/debug-logs 2 | the same of SQLDebug 4 | log 4
    macos.build | PROOF The prompt | `Scripts/test` passes | person
    macos.libedit | PROOF The prompt | completion, history, Ctrl-C and a narrower window work with macOS's own libedit | person
    macos.openStore | PROOF Migrations | `migrate` refuses a store that an app in a simulator has open, and names the app | person
    macos.powerCut | PROOF Migrations | F_FULLFSYNC is called before a rename (`fs_usage`); on a volume without it, fsync | person
    macos.containers | PROOF Stores | reading ~/Library/Containers asks for permission, and a refusal has a fix | person
    macos.network | PROOF Stores | a store on a network volume is refused, or there is a warning | person
    macos.letterCase | PROOF Sessions | `--allow-read Models` allows models/x on a volume that ignores case | person
    macos.private | PROOF Sessions | a path through /tmp and one through /private/tmp are the same file | person
    macos.xmlErrors | PROOF Bad input | errors in XML have the line that they have on Linux | person
    macos.headerVersion | PROOF Stores that Strata writes | `create` writes the same bytes with Apple's SQLite but for the version in the header | person
    macos.permissions | PROOF Migrations | access lists and extended attributes of a replaced store are kept | person
    macos.openedByXcode | PROOF Reading and writing models | Xcode opens a model and a mapping model of Strata's, and saves them unchanged | person
    macos.bundleMapping | Facts/inference 7 | an app with a mapping model that fits uses it, and does not infer | person
    macos.unreadableMapping | MAPPING-CHOICE Hop by hop | what an app with a damaged mapping model does | person
    macos.policyRelationships | PROOF Migrations | which relationships an object gets that a policy created from several source objects | person
    macos.derivationFilter | Facts/version-hash 2 | a filter of a derived attribute is not hashed; no public call sets one | person
    macos.cloudKit | Facts/migration-process 9 | the text of 134060 for each rule that a model violates | person
    macos.binaryOneEnd | Facts/binary-store 1 | how Core Data reads a binary store with a link at one end only | person
    """#

  /// The model that the edits of `try` change, and what follows its name.
  static let editedModel =
    "P abstract: p str; A < P: n int16! =1, x str, d date, y bin, u str, bs ->> B.a; "
    + "B: m int32, a -> A.bs, unique m"
  static let edits = #"""
    .A.x optional NO
    .A.x attributeType Binary
    .A.n attributeType 'Integer 64'
    .A.n attributeType Boolean
    .A.d attributeType Double
    .A.n defaultValueString 2
    .A.x transient YES
    .A.x rename z
    .A.x remove
    .A.x versionHashModifier v2
    .A.y allowsExternalBinaryDataStorage YES
    .A.x preserveAfterDeletion YES
    .A.x valueTransformerName T
    .A.u regularExpressionString a+
    .A.x elementID w
    .A.bs deletionRule Cascade
    .A.bs ordered YES
    .A.bs minCount 1
    .A.bs maxCount 5
    .A.bs optional NO
    .B.a optional NO
    .B.a toMany YES
    .A.bs rename cs
    .A.bs remove
    .A rename A2
    .A remove
    .A isAbstract YES
    .P isAbstract NO
    .B parentEntity P
    .A versionHashModifier v
    .A representedClassName Other
    .A add attribute k attributeType='Integer 16'
    .A add attribute k attributeType=String optional=YES
    .B add constraint a
     add entity Z
    .A.n optional YES
    """#.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
}
