internal import ArgumentParser
internal import StrataBase
internal import StrataExpressions
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStepping
internal import StrataStore

/// What is looked at of one side of a migration.
struct SideOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "An object (Topic/p3) or an entity; without it, the object at hand.", valueName: "object"))
  var subject: String?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(.predicate, "Only objects that fit this."))
  var `where`: String?
  @Option(help: ArgumentHelp("How many objects at most.", valueName: "n")) var limit = 10

  mutating func validate() throws {
    guard (1...1_000_000).contains(limit) else {
      throw ValidationError("--limit is between 1 and 1000000")
    }
    guard `where` == nil || subject != nil else {
      throw ValidationError("--where chooses among the objects of an entity: name it")
    }
  }
}

extension Stepper {
  /// What somebody sees who looks at a store.
  ///
  /// - Throws: ``Diagnostic``, where it cannot be read as it is now.
  func looked<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try looking(body)
    } catch InspectionError.betweenModels {
      throw Diagnostic(
        id: "step.betweenModels", what: "the tables are on the way from one model to the other",
        fix: "`sql destination 'SELECT …'` reads them as they are, `source` shows the old objects")
    } catch InspectionError.noStore {
      throw Diagnostic(
        id: "step.noStore", what: "the hop is complete, and its store closed",
        fix: "`back` leads into it")
    }
  }
}

extension SideOptions {
  /// What is asked for: an object with all it has, or a list.
  ///
  /// - Parameters:
  ///   - atHand: The object where none is named.
  ///   - made: That where none is at hand: the one that was made last.
  func outcome(
    _ atHand: ObjectRef?, else made: ObjectRef?, _ objects: StoreObjects, asJSON: Bool,
    isFull: Bool
  ) throws -> Outcome {
    guard let subject else {
      guard let object = atHand ?? made else {
        return Outcome(
          .line("no object is at hand here: `step` leads to one, or name it (Topic/p1)"),
          payload: JSONLines([]), status: .no)
      }
      return try whole(object, objects, title: atHand == nil ? "made last" : "")
    }
    if let object = ObjectRef(subject) { return try whole(object, objects, title: "") }
    return try list(subject, objects, asJSON: asJSON, isFull: isFull)
  }

  private func check(_ entity: String, _ objects: StoreObjects) throws {
    guard objects.model[entity] != nil else {
      throw Diagnostic(
        id: "step.unknownEntity", what: "this side has no entity \(entity)",
        fix: NearestName.of(entity, in: objects.model.entityNames).map(NearestName.question)
          ?? "it has \(Words.list(objects.model.entityNames))")
    }
  }

  private func whole(
    _ object: ObjectRef, _ objects: StoreObjects, title: String
  ) throws -> Outcome {
    try check(object.entity, objects)
    guard try objects.isThere(object.key, entity: object.entity) else {
      return Outcome(
        .line("there is no \(object)"), payload: JSONLines([]), status: .no)
    }
    let view = ObjectView(entity: object.entity, objects: objects)
    let found = objects.object(object.key, of: object.entity)
    let cells = try view.row(found, isFull: true)
    let rows = zip(view.columns, cells).dropFirst().map { column, cell in
      [StyledText("  \(column.title)", .faint), cell]
    }
    let head =
      StyledText(object.description, .name) + StyledText(title.isEmpty ? "" : "  \(title)", .faint)
    return Outcome(
      .stack([.line(head), .table(Table(rows: Array(rows)))]),
      payload: JSONLines([try view.json(found)]))
  }

  private func list(
    _ entity: String, _ objects: StoreObjects, asJSON: Bool, isFull: Bool
  ) throws -> Outcome {
    try check(entity, objects)
    let query = try StoreQuery(
      entity: entity, predicates: `where`.map { [$0] } ?? [], model: objects.model)
    let listing: ObjectListing
    do {
      listing = try ObjectListing(
        of: query, in: objects, limit: limit, asJSON: asJSON, isFull: isFull)
    } catch let error as ExpressionError {
      throw error.placed(in: `where` ?? "")
    }
    return Outcome(
      .stack([
        listing.table,
        listing.hasMore
          ? .line(StyledText("… there are more: --limit \(limit * 10)", .faint)) : .nothing,
      ]), payload: JSONLines(listing.lines))
  }
}
