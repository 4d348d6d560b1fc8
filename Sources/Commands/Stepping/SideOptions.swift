internal import ArgumentParser
internal import StrataBase
internal import StrataExpressions
internal import StrataMigration
internal import StrataObjectModel
internal import StrataRendering
internal import StrataStepping
internal import StrataStore

/// The options of `source` and `destination`: the objects to show.
struct SideOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "An object (Topic/p3) or an entity; by default the current object.", valueName: "object"))
  var subject: String?
  @Option(.predicate, "Only objects that match this predicate.", parsing: .unconditional)
  var `where`: String?
  @Option(help: ArgumentHelp("Maximum number of objects.", valueName: "n")) var limit = 10

  mutating func validate() throws {
    guard (1...1_000_000).contains(limit) else {
      throw ValidationError("--limit is between 1 and 1000000")
    }
    guard `where` == nil || subject != nil else {
      throw ValidationError("--where requires an entity")
    }
  }
}

extension Stepper {
  /// The result of reading a store of the stepper.
  ///
  /// - Throws: ``Diagnostic`` if the store cannot be read in its current state.
  func reading<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try withoutReporting(body)
    } catch InspectionError.betweenModels {
      throw Diagnostic(
        id: "step.betweenModels", what: "the tables are being changed from one model to the other",
        fix:
          "`sql destination 'SELECT …'` reads their current state, `source` shows the old objects")
    } catch InspectionError.noStore {
      throw Diagnostic(
        id: "step.noStore", what: "the hop is complete and its store is closed",
        fix: "`back` returns to it")
    }
  }
}

extension SideOptions {
  /// An object with all its properties, or a list of objects; by default the current object, or the one created last.
  func outcome(
    of side: TraceStatement.Side, in session: Session, asJSON: Bool
  ) throws -> Outcome {
    let stepper = try session.steppingSession().stepper
    return try session.reading(side.rawValue, model: nil) { objects in
      guard let subject else {
        let (current, last) = (try stepper.currentObjects(), stepper.lastCreated)
        let object = side == .source ? current.source : current.destination
        guard let shown = object ?? (side == .source ? last?.source : last?.destination) else {
          let isInPlace = stepper.isInPlace(stepper.position.hop)
          let reason = isInPlace ? "in place, statements run for all;" : "`step` moves to one, or"
          return Outcome(
            .line(
              "there is no current object here: \(reason) name an object (Topic/p1) or an entity"),
            payload: .lines([]), status: .no)
        }
        return try whole(shown, objects, title: object == nil ? "created last" : "")
      }
      if let object = ObjectRef(subject) { return try whole(object, objects, title: "") }
      return try list(subject, objects, asJSON: asJSON, isFull: session.isPiped)
    }
  }

  private func check(_ entity: String, _ objects: StoreObjects) throws {
    guard objects.model[entity] != nil else {
      throw Diagnostic(
        id: "step.unknownEntity", what: "this store has no entity \(entity)",
        fix: NearestName.of(entity, in: objects.model.entityNames).map(NearestName.question)
          ?? "it has \(Phrase.list(objects.model.entityNames))")
    }
  }

  private func whole(
    _ object: ObjectRef, _ objects: StoreObjects, title: String
  ) throws -> Outcome {
    try check(object.entity, objects)
    guard try objects.isThere(object.key, entity: object.entity) else {
      return ObjectView.missing(object)
    }
    return try ObjectView.whole(object, objects, title: title)
  }

  private func list(
    _ entity: String, _ objects: StoreObjects, asJSON: Bool, isFull: Bool
  ) throws -> Outcome {
    try check(entity, objects)
    let query = try StoreQuery(
      entity: entity, predicates: `where`.map { [$0] } ?? [], in: objects)
    let listing: ObjectListing
    do {
      listing = try ObjectListing(
        of: query, in: objects, limit: limit, asJSON: asJSON, isFull: isFull)
    } catch let error as ExpressionError {
      throw error.located(in: `where` ?? "")
    }
    return Outcome(
      .stack([
        listing.table,
        listing.hasMore
          ? .line(StyledText("… there are more: --limit \(limit * 10)", .faint)) : .nothing,
      ]), payload: .lines(listing.lines))
  }
}
