internal import StrataBase
internal import StrataRendering

/// The ids of errors and warnings that are not findings of a rule: `help ID`.
///
/// The tests compare this list with the ids in the sources.
enum ErrorBook {
  /// The meaning of the first part of an id, and the ids that begin with it.
  private struct Domain {
    var name: String
    var meaning: String
    var ids: [String]

    init(_ name: String, _ meaning: String, _ ids: String) {
      (self.name, self.meaning) = (name, meaning)
      self.ids = ids.split(whereSeparator: \.isWhitespace).map { "\(name).\($0)" }
    }
  }

  /// All ids.
  static let ids = domains.flatMap(\.ids)

  /// The page `help ID`; `nil` if there is no such id.
  static func page(of id: String) -> Outcome? {
    guard let domain = domains.first(where: { $0.ids.contains(id) }) else { return nil }
    let use =
      "The message with this id names the location, the cause and the fix. The id is stable; the wording may change."
    return Outcome(
      .lines([
        StyledText(id, .heading) + StyledText("  \(title(of: id))"),
        StyledText("  \(domain.name): \(domain.meaning)"),
        StyledText("  \(use)", .faint),
      ]), payload: ["id": id, "title": title(of: id), "domain": domain.meaning])
  }

  /// The title of an id: `path refused` for `session.pathRefused`, `append needs SQLite` for
  /// `migration.appendNeedsSQLite`. A word that begins with two capitals keeps its case.
  private static func title(of id: String) -> String {
    id.drop { $0 != "." }.matches(of: /A(?=[A-Z])|[A-Z]{2,}[a-z]*|[A-Z]?[a-z]+/).map { match in
      match.output.dropFirst().first?.isUppercase == true
        ? String(match.output) : match.output.lowercased()
    }.joined(separator: " ")
  }

  private static let domains = [
    Domain(
      "archive", "the bytes of a file are not what its format requires",
      """
      cyclic declaresEntities invalidText malformed notAKeyedArchive notAPropertyList
      notDeflate notWellFormed outOfRange tooDeep tooLarge truncated unexpectedElement
      unexpectedObject
      """),
    Domain(
      "command", "a command line is wrong; the exit status is 64",
      """
      badBudget badName badSetting editor incomplete noDocument noObjects noOutput noTerminal notText tooLong unknown
      unknownBudget unknownForm unknownSetting usage
      """),
    Domain(
      "configuration", "the file strata.toml of a project is wrong; the exit status is 2",
      "badValue noMatch syntax unknownKey"),
    Domain("lock", "the file strata.lock of a project cannot be used", "edited sameName syntax"),
    Domain(
      "check", "something of a project could not be checked; the exit status is 2",
      """
      isBundle lfsPointer link noCurrentVersion noReleases noRepository noStore nothing replayed
      shallow sparse unknownPolicy unknownRelease untracked
      """),
    Domain(
      "git", "a git repository cannot be read; `check` reads it and never changes it",
      """
      brokenGitFile failed folderNotPrivate foreignOwner hostilePath malformedObject missingObject
      notARepository notFound notResponding notStarted tooLarge tooOld unexpectedOutput
      unknownRevision unmerged unreadablePath wrongType
      """),
    Domain("compare", "two stores cannot be compared in this way", "deep"),
    Domain("expect", "an expectation cannot be checked", "noMigration severalValues"),
    Domain(
      "expression", "a predicate, value expression or derivation is wrong",
      """
      badPattern badText decimalOverflow incomparable integerOverflow keyOfValue
      manyValues misplacedNot notANumber notPossible numberTooLarge patternTooSlow
      placeholder reservedWord syntax tooDeep tooLong unclosedQuote unknownFunction
      unknownKey unknownVariable unstored wrongArgumentCount wrongOperand
      """),
    Domain(
      "file", "a file or folder cannot be read, written or found",
      """
      badPath changed exists isFolder noFolder noHome noName notAFile notFound noWorkingFolder
      otherKind tooLarge twice unknownKind unreadable unwritable
      """),
    Domain("hash", "hashes cannot be shown in this way", "none tooLong"),
    Domain("identify", "the model version of a store cannot be identified", "noModels"),
    Domain("internal", "an internal error of Strata: please report it", "unexpected"),
    Domain(
      "lesson", "a lesson is wrong, or cannot do this now",
      """
      badCheck blockInComment damagedProgress emptyText hintWithoutTask inside isOver isPlayed noChoice noHint
      noProgress noQuestion noReason noSolution noSuchTask noTask noTitle none notAnswered notDone
      nothingToDo onlyOneChoice paused rightChoices sameChoice severalSessions textAfterComment
      unclosedComment unknown unknownKind unknownWord
      """),
    Domain(
      "mapping", "a mapping model cannot be read, found or used",
      """
      badExpression duplicateName equalContent expressionNotKept leftOut malformed nameNotKept
      noModels noPolicies notAMappingModel notKept notSplit refreshedWithErrors syntax
      tooMany unknownEntityMapping unknownModels unreadable versionExists
      """),
    Domain(
      "migration", "a migration is not possible as requested, or loses data",
      """
      appendMissing appendNeedsSQLite appendVersion backwards badFilter badMapping
      cannotEvaluate configuration decidedByPolicy dividedMapping droppedEntity extras
      finished littleRoom mappingElsewhere mappingModel missingMappingModel missingSourceModel
      nameTaken notAsPlanned notCounted notInPlace notInferable nothingStays nothingToAppend
      objectKeys otherWay sameStore stagesNeedSQLite staleMapping stoppedByPolicy
      strayRows textMapping undefinedChoice unfitMapping unfittingValue unknownEntity
      unknownPolicy unknownProperty unknownStageVersion unknownVersion unusedPolicies waysDiffer
      withoutPolicy
      """),
    Domain(
      "model", "a model or a bundle of versions cannot be read or edited, or is unusual",
      """
      badArchive badName badValue composite conflictingEntity cyclicComposite
      cyclicParents destinationEntity duplicateConfiguration duplicateEntity
      duplicateProperty emptyBundle impossibleEdit inverseName memberEntity
      missingDerivation missingName noCurrentVersion notAModel notWritable optimized
      optimizedTwin overriddenProperty parentEntity tooDeepHierarchy tooMany
      undefinedType unknownComposite unknownConfiguration unknownConstraint
      unknownCurrentVersion unknownDestination unknownEntity unknownInverse unknownKey
      unknownMember unknownParent unknownProperty unreadable versionInfo
      """),
    Domain(
      "notebook", "a script or notebook is not well-formed",
      """
      badStatus documentTooLarge lineBreakInCommand lineTooLong severalSessions
      strayOutput tooManyLines unclosedFence unfinishedCommand
      """),
    Domain(
      "policy", "a policy file is wrong, or its policy has stopped a migration",
      """
      deleteDenied deletesExisting duplicate failed migrationEnded noValue notMet syntax wrongEntity
      """),
    Domain("project", "a folder cannot be examined as a project", "noFolder tooLarge"),
    Domain(
      "reference", "a name is unknown or names the wrong kind of item",
      """
      ambiguous bundleName noCurrent notABundle notAMapping notAModel notAStore unknown
      unknownSample unknownVersion
      """),
    Domain("replay", "a document cannot be replayed", "linkedDocument"),
    Domain("rows", "an answer does not contain all objects", "more"),
    Domain(
      "script", "a script cannot be run or read",
      "cycle empty noDocuments noInput notText tooMany unknownForm unreadable"),
    Domain(
      "session", "the session, its document or its permissions do not allow a command",
      """
      endsAtOnce interrupted nameTaken notTaken nothingToForget nothingToSave openRefused otherAnswer
      pathRefused replayRefused unmet unsaved writeRefused
      """),
    Domain("stage", "the scripts of a stage have not completed", "nested pending scriptFailed"),
    Domain(
      "stages", "a stages file is wrong, or names a file that does not exist",
      "missingScript syntax unreadable"),
    Domain(
      "step", "the stepper cannot do this now",
      """
      badMapping betweenModels debugging endsAtOnce noObjects noStore notDebugging notRun
      pendingStage stopped storeChanged unknownBreakpoint unknownEntity unknownMark
      unknownPlace unknownPolicy
      """),
    Domain(
      "store", "a store cannot be read, written or created, or is unusual",
      """
      abstractEntity alreadyExists ambiguousColumn ambiguousTable badBinary
      badBinaryObject badExternalReference badQuery badValue badXML badXMLObject
      binaryReadOnly changedMeanwhile damaged damagedWAL foreignJournal foreignWAL givenTwice
      interrupted invalidObjects isFolder isSample keyLeft keyOutOfRange leftOut locked missingColumn missingExternalFile
      missingTable noKeysLeft noMetadata noModel noModelCache noObject noRoom noTemporaryFolder
      notAKey notAStore notFound notInXML notOneQuery notSQLite notStored notSynced notUnique
      openElsewhere otherModel remoteVolume rounded sameTableName sameXMLName schemaOmission schemaTooLong
      severalWriters sharedExternalData sqlite strayCompanion superJournal toOne tooLargeForXML
      tooManyColumns tooMuchWork triggersInterfere truncated unclearJournal unknownEntityNumber
      unproven unprovenConfiguration unprovenName unreadable unreadableMetadata
      unreadableModelCache unusualTable unwritable
      """),
  ]
}
