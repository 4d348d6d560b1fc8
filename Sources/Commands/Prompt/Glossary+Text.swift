extension Glossary {
  /// The glossary as a page: `## Term`, a paragraph, and perhaps a line `See: a, b`.
  static let markdown = """
    # Glossary

    Terms of Core Data, SQLite and Strata, as Strata's output and documentation use them. Each term has a heading, a
    paragraph, and perhaps a line `See:` with related terms.

    ## abstract entity

    An entity that has no objects of its own. Its subentities inherit its properties, and it has a version hash like any
    other entity.

    See: entity, subentity

    ## answer

    What a command gives: text, or JSON with `--json`, and an exit status. A script or notebook records answers, and
    `replay` compares them.

    See: exit status, replay

    ## association table

    What the migration manager keeps of pass 1: which source object became which destination objects, for each entity
    mapping. Pass 2 finds the destinations of relationships in it. It is not a table of the store.

    See: entity mapping, pass

    ## attribute

    A property of an entity that holds a value, such as a text or a number.

    See: attribute type, property

    ## attribute type

    What kind of value an attribute holds: Integer 16, 32 or 64, Decimal, Double, Float, String, Boolean, Date, Binary,
    UUID, URI, Transformable, Composite or Undefined. It is hashed, and decides the type of the column.

    See: attribute, column

    ## binary store

    A store that Core Data reads and writes as a whole in a binary format (`NSBinaryStoreType`). Strata reads such stores
    and migrates them into SQLite or XML stores, but does not write them.

    See: store, XML store

    ## breakpoint

    A place or condition at which the stepper stops: an entity mapping, a pass, a hop, an object, an error or a warning.
    `break` sets one.

    See: stepper, watchpoint

    ## budget

    A limit on the work of one command, counted in steps and not in time, so that it is reached at the same place on every
    machine. A command that reaches a budget ends with status 2; `--budget` raises it.

    See: exit status

    ## bundle

    A folder with the versions of a model: `.xcdatamodeld` in a project, `.momd` in a built app.

    See: current version, model version

    ## cached model

    The copy of the model that Core Data keeps in the table `Z_MODELCACHE` of a SQLite store, since iOS 9. With it a store
    can be read and migrated without the app's bundle.

    See: model

    ## checksum

    One value for a whole model version, base64 text of 32 bytes, computed from all entity hashes. Staged migration names
    versions by it.

    See: digest, staged migration, version hash

    ## column

    A column of a table of a SQLite store. An attribute and a to-one relationship have a column each, named `Z` and the
    upper-cased property name.

    See: join table, order column, table

    ## companion file

    A file that SQLite keeps beside a store: `-wal`, `-shm` or `-journal`. Committed changes may be in the `-wal` alone,
    so it must be copied with the store.

    See: hot journal, WAL

    ## compatible

    A store and a model are compatible if the version hashes of all entities are equal; Core Data then opens the store
    without a migration. If they are not, opening it gives the error 134100.

    See: version hash

    ## composite attribute

    An attribute that consists of named elements, each with a type of its own. Each element has a column. Xcode 15 and
    later.

    See: attribute

    ## configuration

    A named part of a model's entities, which may have a store of its own. The default configuration has all entities.

    See: model

    ## Core Data

    Apple's framework for the objects of an app: a model describes them, a store has them, and a migration brings a store to
    another version of the model. Strata computes what Core Data does, without it.

    See: migration, model, store

    ## current version

    The version of a bundle that the app uses, and that new stores are created with.

    See: bundle, model version

    ## custom

    The strategy by which the mapping models that are named run one after the other into one destination, as an app does
    that runs a migration manager itself. An entity mapping of type custom has a policy.

    See: migration manager, policy, strategy

    ## default value

    The value that a new object has for an attribute. Objects that exist get it when a migration adds the attribute; it is
    not hashed.

    See: attribute

    ## delete rule

    What happens to the objects at the other end when an object is deleted: Nullify, Cascade, Deny or No Action. It is not
    hashed.

    See: relationship

    ## derived attribute

    An attribute that Core Data computes from other values, such as `pages.@count`. In a SQLite store triggers keep it up
    to date.

    See: attribute, trigger

    ## destination

    The new side of a migration: the destination model, the destination store, and the objects that are created in it.

    See: source

    ## digest

    One value for all entity hashes of a store, base64 text of a SHA-512, in the metadata since iOS 13.

    See: checksum, store metadata

    ## divided mapping model

    A mapping model in several files, the parts, which run one after the other into one destination. The parts are divided
    by entity mappings or by predicates.

    See: mapping model, part

    ## entity

    A kind of objects in a model, with attributes, relationships and perhaps a parent entity. A root entity has a table in
    a SQLite store.

    See: abstract entity, property, root entity

    ## entity mapping

    The part of a mapping model that says how the objects of one source entity become objects of one destination entity.
    Its type is add, remove, copy, transform or custom.

    See: mapping model, property mapping

    ## entity number

    The number of an entity in a SQLite store (`Z_ENT`). A new or removed entity changes the numbers of those after it.

    See: Z_ENT

    ## event

    Something that happened in a migration: a hop, pass or entity mapping began, an object was created, a statement ran.
    Traces, progress, the stepper and reports use the same events.

    See: trace

    ## exit status

    The number with which a command ends: 0 done, 1 the answer is no, 2 the work could not be done, 64 wrong usage.

    See: answer

    ## expectation

    A fact that `expect` asserts about a model, store or migration. A replay fails if it is false.

    See: replay

    ## external data

    Binary data of an attribute that are kept in a file beside the store, in `.NAME_SUPPORT/_EXTERNAL_DATA`. The column
    then holds the name of the file.

    See: attribute

    ## fetch index

    An index that a model defines for one or more properties of an entity. It is not hashed.

    See: index

    ## fetched property

    A property of an entity that fetches objects by a predicate when it is read. It is neither stored nor hashed, so a
    change of it does not change the version hash.

    See: property, version hash

    ## filter

    The predicate of an entity mapping that chooses among the source objects. Objects that no filter accepts are lost.

    See: entity mapping, predicate

    ## finding

    A problem or loss that a command reports: a rule, a severity, a place, a message and fixes. Text, JSON, JUnit and
    annotations show the same findings.

    See: fix, rule, severity

    ## fingerprint

    Eight digits in a script or notebook that identify the data behind an answer. With it, a replay can distinguish a change of
    words from a change of data.

    See: answer, replay

    ## fix

    What to do about a finding or an error. A verified fix was tried: with it the problem does not occur.

    See: finding

    ## framework version

    `NSPersistenceFrameworkVersion` in the metadata: which Core Data wrote the store. The form of the schema depends on
    it.

    See: schema, store metadata

    ## hash modifier

    A text in a model that is hashed with an entity or property. It forces a new hash where nothing else that is hashed
    changes, such as the unit of a value.

    See: version hash

    ## heavyweight

    A common name of a migration with a mapping model instead of an inferred one, and perhaps with migration policies.
    Core Data copies the objects into a new store in three passes.

    See: lightweight, mapping model, pass, policy

    ## hop

    One migration from one model version to another. A plan has one or more hops.

    See: plan

    ## hot journal

    A `-journal` of a transaction that was not completed. The next program that opens the store rolls it back.

    See: companion file

    ## hybrid

    The strategy that uses mapping models where there are some, and infers the versions between them in as few hops as
    possible.

    See: progressive, strategy

    ## in-place migration

    A migration in the store itself, by SQL in one transaction, without loading objects. Core Data does so for inferred
    mapping models and SQLite stores.

    See: lightweight, pass

    ## index

    An index of SQLite on columns of a table. A relationship has one; fetch indexes and uniqueness constraints add more.

    See: fetch index, uniqueness constraint

    ## inference

    Finding a mapping model from two models alone, by names and renaming identifiers.

    See: lightweight, obstacle, renaming identifier

    ## inverse

    The relationship at the other end. Its name is hashed, so renaming it changes the hash of both entities.

    See: relationship

    ## join table

    The table of a many-to-many relationship, such as `Z_1TAGS`. It has a row for each link.

    See: link, table

    ## kept store

    The old store, which a migration keeps under another name: `<store>.before-<version>`. A migration in passes keeps it
    unless `--discard-old` is given; an in-place migration keeps a copy where something is lost or may be.

    See: store

    ## lightweight

    A migration by an inferred mapping model. As a strategy: inference straight to the target, mapping models ignored.

    See: inference, strategy

    ## link

    A pair of objects that a relationship connects. A link survives a migration only if both objects do.

    See: relationship

    ## loss

    An object, a value, a link or an order that a migration does not keep. Losses are predicted from the models and
    counted in the store; `--strict` refuses them.

    See: receipt, rule

    ## mapping model

    What says how the objects of one model version become those of another: entity mappings with property mappings. It is
    a file (`.xcmappingmodel`, compiled `.cdm`, or Strata's text `.mapping`), or inferred.

    See: entity mapping, inference

    ## merged model

    The union of several models, such as `A+B`. An app may use one, and a store may have been written by one.

    See: model

    ## migration

    The transfer of a store from one model version to another, since Core Data opens a store only with a model that has the
    same version hashes. It is done in place or in three passes, by an inferred mapping model or by one of your own.
    `lesson versions` begins with it.

    See: in-place migration, inference, mapping model, plan

    ## migration manager

    The object of Core Data that runs a mapping model in three passes, and that policies talk to.

    See: pass, policy

    ## model

    The entities of an app with their properties: what Core Data calls a managed object model.

    See: entity, model version

    ## model version

    One state of a model, in a file of its own (`.xcdatamodel`, compiled `.mom`). Versions have no order for Core Data;
    Strata orders them by name, numbers by value.

    See: bundle, version identifier

    ## notebook

    A Markdown document with commands and their answers, which `replay` checks. A script holds the same without the prose
    around it.

    See: replay, script

    ## object

    One record of an entity in a store: a row of a table, or an element of an XML store. `p3` names the object with the
    primary key 3.

    See: object URI, primary key

    ## object URI

    The address of an object that an app may store: `x-coredata://<store UUID>/<entity>/p<key>`. It stops working if the
    key or the entity's name changes.

    See: object, primary key

    ## obstacle

    A change that inference refuses, such as another attribute type. It has Core Data's error code, and fixes.

    See: inference

    ## order column

    A column `Z_FOK_…` with the position of an object in an ordered relationship.

    See: ordered relationship

    ## ordered relationship

    A to-many relationship whose objects have an order.

    See: order column, relationship

    ## parent entity

    The entity from which a subentity inherits its properties. Its hash is hashed with the subentity's.

    See: subentity

    ## part

    One of the files of a divided mapping model. Each part runs with association tables of its own.

    See: divided mapping model

    ## pass

    One of the three stages of a migration by a migration manager: create instances, create relationships, validate. Each
    pass ends for all entity mappings before the next one begins.

    See: entity mapping, migration manager

    ## persistent history

    The list of changes that Core Data keeps in a store if an app asks for it. An in-place migration keeps it; a migration
    in passes cannot, and says so.

    See: store

    ## plan

    The hops from a store's version to the target, with the means of each hop and the reason. `plan` shows it without
    changing anything.

    See: hop, strategy

    ## policy

    A class that an entity mapping names, and that Core Data calls in each pass (`NSEntityMigrationPolicy`). In Strata a
    policy is a policy file or a Swift type.

    See: entity mapping, policy file

    ## policy file

    A text file (`.policy`) that says what a policy does, in the expression language.

    See: policy

    ## predicate

    A condition on objects, such as `rank > 2`, in the format of `NSPredicate`.

    See: filter, value expression

    ## primary key

    The number of an object in its table (`Z_PK`). `p3` is the object with the key 3.

    See: object, Z_PK

    ## progressive

    The strategy that goes through every version between source and target, each hop by a mapping model or by inference.

    See: hybrid, strategy

    ## property

    An attribute, a relationship or a fetched property of an entity.

    See: attribute, relationship

    ## property mapping

    The part of an entity mapping that says what one destination property gets: a value expression, or nothing.

    See: entity mapping, value expression

    ## receipt

    What `migrate` and `compare --rows` tell of every entity and property: objects created, joined, skipped and lost,
    values before and after. It shows counts and keys, never values.

    See: loss

    ## reference

    A name of something in a command: a model, an entity, a property or a store. `help references` lists the forms.

    See: bundle, store

    ## rehearsal

    A migration of a private copy that is then discarded: `migrate --dry-run`. It changes nothing and reports what the
    migration would do.

    See: receipt

    ## relationship

    A property of an entity that refers to other objects. It is to-one or to-many, perhaps ordered, and normally has an
    inverse.

    See: inverse, link

    ## renaming identifier

    The earlier name of an entity or property, kept in the model (`elementID`). Inference matches elements by it; without
    one it is the name. It is not hashed.

    See: inference

    ## replay

    Running a script or notebook again in a fresh session and comparing each answer. The exit status is 1 if an answer
    differs.

    See: answer, notebook

    ## root entity

    An entity without a parent entity. It and all its subentities share one table.

    See: entity, table

    ## rule

    What a check knows, with a name such as `inference.missingDefault`. `help rules` lists all rules, `help RULE` explains
    one.

    See: finding

    ## schema

    The tables, indexes and triggers of a SQLite store, which follow from the model.

    See: index, table, trigger

    ## script

    A text file with one command on each line (`.strata`), perhaps with recorded answers.

    See: notebook, replay

    ## severity

    How serious a finding is: error, warning or note.

    See: finding

    ## source

    The old side of a migration: the source model, the source store and its objects. `$source` is the source object in a
    value expression.

    See: destination, value expression

    ## SQLite store

    A store that is a SQLite database (`NSSQLiteStoreType`), the usual kind.

    See: companion file, schema, store

    ## stage

    A step of a staged migration. A lightweight stage lists the versions that a store may have; a custom stage is one hop
    with changes before and after it.

    See: staged migration

    ## staged migration

    Core Data's migration by a list of stages, since iOS 17. In Strata the stages are a `.stages` file.

    See: checksum, stage

    ## stale mapping model

    A mapping model whose recorded hashes no longer fit, because a version was edited after it was saved. Core Data
    ignores it and infers.

    See: mapping model, version hash

    ## step

    The smallest unit of a migration: one object, one statement of an in-place migration, or the begin or end of an entity
    mapping.

    See: stepper

    ## stepper

    What `debug` opens: a migration that is walked step by step, forward and back, in a private copy. `commit` applies it
    to the store, `abandon` discards it.

    See: breakpoint, step

    ## store

    A file with objects: a SQLite, XML or binary store.

    See: binary store, SQLite store, XML store

    ## store metadata

    What a store says about itself: type, UUID, version hashes, version identifiers, framework version, and keys of the
    app.

    See: version hash

    ## strategy

    How a migration reaches its target: default, lightweight, custom, progressive, hybrid or staged. The default is Core
    Data's own: one mapping model that fits, otherwise inference.

    See: plan

    ## subentity

    An entity that inherits from a parent entity. Its objects are in the table of the root entity.

    See: parent entity, root entity

    ## table

    A table of a SQLite store. Each root entity has one, named `Z` and the upper-cased entity name.

    See: column, join table, root entity

    ## trace

    The lines that `trace sql` and `trace migration` show, in the form of Core Data's debug logs.

    See: event

    ## transformable

    An attribute type for values of any class. A value transformer encodes them, by default as a keyed archive, and the
    store has the bytes in a BLOB column. A lightweight migration leaves the bytes as they are.

    See: attribute type, lightweight

    ## transient property

    A property that is kept in memory only. It has no column and is not hashed.

    See: property

    ## trigger

    A statement that SQLite runs when rows change. Core Data creates some for derived attributes and R-tree indexes; an
    app may have its own.

    See: derived attribute

    ## truncated

    Of a number: stored without its fraction, because the new type holds whole numbers only. The receipt counts truncated
    values.

    See: loss, receipt

    ## uniqueness constraint

    Properties of an entity of which no two objects may have the same values. It is hashed, and a new one stops a
    migration of a store with duplicates.

    See: entity, index

    ## unproven

    Said of a result that depends on a rule which no file written by Core Data confirms. `Docs/PROOF.md` lists these
    rules.

    See: version hash

    ## validation

    Checking objects against the rules of a model: required values, ranges, patterns, counts. Pass 3 of a migration
    validates, and `validate` checks a store.

    See: pass, rule

    ## value expression

    What a property mapping computes for each object, such as `$source.timeBudget * 60`.

    See: property mapping, source

    ## version hash

    32 bytes that Core Data computes of an entity, from what matters for stores. A model fits a store if all version
    hashes are equal.

    See: checksum, hash modifier

    ## version identifier

    A text or texts that a developer gives to a model version. Core Data stores it in the metadata and does not compare
    it.

    See: model version, store metadata

    ## WAL

    SQLite's write-ahead log, the file `<store>-wal`. New transactions are in it until they are written into the store.

    See: companion file

    ## watchpoint

    A value, object or entity whose changes the stepper reports. `watch` sets one; the stepper stops after the step that
    changes it.

    See: breakpoint, stepper

    ## witness

    A check of each migration before it commits, which shares no code with the migration: it asks source and destination
    the same questions in SQL and compares the answers.

    See: rehearsal

    ## workspace

    The private folder in which a rehearsal or the stepper works, and in which new stores are created.

    See: rehearsal, stepper

    ## XML store

    A store that is one XML document (`NSXMLStoreType`). Core Data reads and writes it as a whole.

    See: binary store, store

    ## Z_ENT

    The column with the entity number of an object, in each table of an entity.

    See: entity number

    ## Z_OPT

    The column that counts the changes of an object: 1 after it is created, one more after each update.

    See: column

    ## Z_PK

    The column with the primary key of an object.

    See: primary key

    """
}
