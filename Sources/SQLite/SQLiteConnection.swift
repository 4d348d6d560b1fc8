internal import CSQLite
package import StrataArchives
package import StrataBase

/// A connection to a SQLite file, safe against hostile files.
///
/// Defensive mode is on and `trusted_schema` off, the schema may call no function with side effects, limits are
/// lowered, and a connection for reading has an authorizer that only permits reading: views, triggers and generated
/// columns of a hostile file can do nothing.
package final class SQLiteConnection {
  package enum Mode {
    /// Reads only the main file, as immutable: no locks, no files beside it.
    case immutable
    /// Reads with locks; may create a `-shm` in the file's folder, which must be private.
    case readOnly
    /// Writes to a file that Strata has created.
    case readWrite
    case create
    /// A store in memory.
    case memory
  }

  package let handle: OpaquePointer
  let guardState: UnsafeMutablePointer<GuardState>
  private let prepared = PreparedStatements()
  package let tables = KnownTables()
  let listener = StatementListener()
  let meter: StatementMeter
  let files = FilesRead()
  /// Whether the slow functions of a user's query are counted.
  var metersSlowFunctions = false
  /// Whether it is read-only.
  private(set) var isReadOnly = false

  /// The state passed to the callbacks of SQLite.
  struct GuardState {
    /// The functions that a statement may call while it is prepared.
    var functions: Set<String>
    /// The tables that a statement reads from the attached file.
    var attachedTables: Set<String> = []
    /// The tables that it reads no column of, from some file.
    var countedTables: Set<String> = []
  }

  /// - Throws: ``StoreError/sqlite(code:message:sql:)``.
  ///
  /// - Parameters:
  ///   - size: The size of the file in bytes: the limit of any value, and the allowance of the reading budget.
  ///   - hasBudget: Whether reading has a budget; false for a file that Strata has created or is migrating.
  package init(
    path: String, mode: Mode, size: Int = 256 << 20, hasBudget: Bool = true
  ) throws(StoreError) {
    var flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    var query = ""
    switch mode {
    case .immutable:
      flags |= SQLITE_OPEN_READONLY
      query = "?immutable=1"
    case .readOnly: flags |= SQLITE_OPEN_READONLY
    case .readWrite: flags |= SQLITE_OPEN_READWRITE
    case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    case .memory: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY
    }
    let resolved = mode == .memory ? nil : try Self.resolvedFile(at: path)
    if mode != .memory { try SuperJournal.check(besideStoreAt: resolved?.path ?? path) }
    // The path is resolved: a link found in it was created just now.
    if resolved != nil { flags |= SQLITE_OPEN_NOFOLLOW }
    var opened: OpaquePointer?
    let name = mode == .memory ? ":memory:" : Self.uri(resolved?.path ?? path) + query
    let code = sqlite3_open_v2(name, &opened, flags, SuperJournal.refusingFileSystem)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
      let cause = opened.flatMap { FileCause(ofSQLite: $0) }
      sqlite3_close_v2(opened)
      throw .ofSQLite(
        code, message: message, sql: nil, cause, isReading: flags & SQLITE_OPEN_READONLY != 0)
    }
    handle = opened
    guardState = .allocate(capacity: 1)
    guardState.initialize(to: GuardState(functions: Self.harmlessFunctions))
    let isOwn = mode == .create || mode == .memory
    meter = StatementMeter(size: hasBudget && !isOwn ? size : nil)
    if let resolved { try checkFile("main", is: resolved) }
    if mode == .readWrite || mode == .create { writeAlikeEverywhere() }
    harden(valueLimit: Int32(clamping: min(max(size, 1 << 20), 256 << 20)))
    boundWork()
    switch mode {
    case .immutable: allowOnlyReading()
    case .readOnly:
      // Another program that closes the file locks it briefly: wait up to 2 s, then the store counts as locked.
      sqlite3_busy_timeout(handle, 2000)
      allowOnlyReading()
    case .readWrite: registerTriggerFunctions()
    case .create, .memory: break
    }
  }

  /// Makes what is written independent of how SQLite was built. Apple's keeps the `-wal` and the `-shm` after the last
  /// close and leaves deleted values in the file, and on macOS a commit is else only in the disk's cache.
  private func writeAlikeEverywhere() {
    var keepsWAL: Int32 = 0
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_PERSIST_WAL, &keepsWAL)
    for setting in ["secure_delete", "fullfsync", "checkpoint_fullfsync"] {
      sqlite3_exec(handle, "PRAGMA \(setting) = ON", nil, nil, nil)
    }
  }

  deinit {
    prepared.removeAll()
    sqlite3_close_v2(handle)
    guardState.deinitialize(count: 1)
    guardState.deallocate()
  }

  /// The limits of a schema.
  package struct SchemaLimits: Sendable {
    /// Columns of a table.
    package let columns: Int
    /// Bytes of a statement.
    package let statementBytes: Int
  }

  /// The limits of every connection, which depend on the SQLite build.
  package static let schemaLimits: SchemaLimits = {
    let connection = try? SQLiteConnection(path: "", mode: .memory)
    func limit(_ number: Int32, else fallback: Int) -> Int {
      connection.map { Int(sqlite3_limit($0.handle, number, -1)) } ?? fallback
    }
    return SchemaLimits(
      columns: limit(SQLITE_LIMIT_COLUMN, else: 2000),
      statementBytes: limit(SQLITE_LIMIT_SQL_LENGTH, else: 1 << 20))
  }()

  private func harden(valueLimit: Int32) {
    _ = strata_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = strata_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    let limits: [(Int32, Int32)] = [
      (SQLITE_LIMIT_LENGTH, valueLimit), (SQLITE_LIMIT_SQL_LENGTH, 1 << 20),
      (SQLITE_LIMIT_EXPR_DEPTH, 200), (SQLITE_LIMIT_COMPOUND_SELECT, 50),
      (SQLITE_LIMIT_FUNCTION_ARG, 32), (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000),
      (SQLITE_LIMIT_TRIGGER_DEPTH, 16), (SQLITE_LIMIT_ATTACHED, 0),
    ]
    for (limit, value) in limits { sqlite3_limit(handle, limit, value) }
  }

  /// Lets triggers write to R-trees, as Core Data's do, if the schema has no other virtual table. Of what SQLite does not
  /// trust a schema with, that leaves nothing else: the functions of connections are harmless, or not for schemas.
  package func trustRTrees() throws(StoreError) {
    let tables = try schemaItems().filter { $0.kind == .virtualTable }
    guard !tables.isEmpty, tables.allSatisfy(\.isRTree) else { return }
    _ = strata_sqlite3_db_config_flag(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1)
  }

  /// Makes the connection read-only, with a budget for reading.
  package func allowOnlyReading() {
    forgetStatements()
    isReadOnly = true
    if meter.limit.size == nil { meter.limit.size = (try? size()) ?? 0 }
    sqlite3_set_authorizer(handle, Self.allowReading, guardState)
  }

  /// Ends statements on Ctrl-C, or if their budget is exceeded.
  ///
  /// - Parameter weight: The steps that each step counts as.
  func boundWork(weight: Int = 1) {
    let interval = max(1, StatementMeter.interval / weight)
    meter.stepsOfInterval = interval * weight
    sqlite3_progress_handler(
      handle, Int32(interval),
      { context in
        guard let context else { return 1 }
        let meter = Unmanaged<StatementMeter>.fromOpaque(context).takeUnretainedValue()
        return !meter.count(meter.stepsOfInterval) || meter.isInterrupted ? 1 : 0
      }, Unmanaged.passUnretained(meter).toOpaque())
  }

  /// Whether a transaction has begun. SQLite ends it when a statement that writes is interrupted or finds the disk full.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Whether Ctrl-C ends statements, and with those that write the transaction.
  package var isInterruptible: Bool {
    get { meter.isInterruptible }
    set { meter.isInterruptible = newValue }
  }

  /// Sets the reading budget for a file of this size in bytes.
  package func boundReading(size: Int) { meter.limit.size = size }

  /// Bytes of the file's pages.
  package func size() throws(StoreError) -> Int {
    let (bytes, overflows) = try number("PRAGMA page_count").multipliedReportingOverflow(
      by: try number("PRAGMA page_size"))
    return overflows ? .max : bytes
  }

  /// Defines Core Data's own functions, which triggers of derived attributes call, as doing nothing.
  ///
  /// Source: `Docs/Facts/sqlite-schema.md`, section 7.5.
  package func registerTriggerFunctions() {
    let names = [
      "NSCoreDataDATriggerUpdatedAffectedObjectValue",
      "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
      "NSCoreDataTriggerUpdateAffectedObjectValue",
    ]
    for name in names {
      sqlite3_create_function_v2(
        handle, name, -1, SQLITE_UTF8 | SQLITE_INNOCUOUS, nil,
        { context, _, _ in sqlite3_result_null(context) }, nil, nil, nil)
    }
  }

  /// Functions whose results are not larger than their arguments.
  static let harmlessFunctions: Set<String> = [
    "count", "min", "max", "sum", "total", "coalesce", "instr", "length",
    "row_number", "typeof",
  ]

  /// The functions of SQLite's core that a user's query may call: none accesses a file, loads code or changes
  /// anything.
  static let queryFunctions = harmlessFunctions.union([
    "abs", "avg", "changes", "char", "concat", "concat_ws", "date", "datetime", "format", "glob",
    "group_concat", "hex", "ifnull", "iif", "julianday", "like", "lower", "ltrim",
    "nullif", "octet_length", "printf", "quote", "replace", "round", "rtrim", "sign", "strftime",
    "string_agg", "substr", "substring", "time", "trim", "typeof", "unhex", "unicode", "unixepoch",
    "upper", "rank", "dense_rank", "lag", "lead", "first_value", "last_value", "ntile",
    "sqlite_version",
  ])

  static let allowReading:
    @convention(c) (
      UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
      UnsafePointer<CChar>?, UnsafePointer<CChar>?
    ) -> Int32 = { context, action, first, second, database, _ in
      let state = context?.assumingMemoryBound(to: GuardState.self)
      switch action {
      case SQLITE_SELECT, SQLITE_RECURSIVE: return SQLITE_OK
      case SQLITE_READ:
        guard let first else { return SQLITE_OK }
        if let database {
          guard sqlite3_stricmp(database, SQLiteConnection.attachedName) == 0 else {
            return SQLITE_OK
          }
          state?.pointee.attachedTables.insert(String(cString: first))
        } else {
          state?.pointee.countedTables.insert(String(cString: first))
        }
        return SQLITE_OK
      case SQLITE_FUNCTION:
        // Generated columns and views of a hostile file cannot call functions that take time or memory.
        let name = second.map { String(cString: $0).lowercased() } ?? ""
        return state?.pointee.functions.contains(name) == true ? SQLITE_OK : SQLITE_DENY
      case SQLITE_PRAGMA:
        let name = first.map { String(cString: $0) } ?? ""
        let isReading = name == "encoding" && second == nil
        return isReading || ["table_info", "table_xinfo"].contains(name) ? SQLITE_OK : SQLITE_DENY
      default: return SQLITE_DENY
      }
    }

  /// A `file:` URI, percent-encoded.
  private static func uri(_ path: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var uri = Array("file:".utf8)
    for byte in path.utf8 {
      let isPlain =
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
        || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/._-".utf8.contains(byte)
      uri += isPlain ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return String(decoding: uri, as: UTF8.self)
  }

  // MARK: Statements

  /// Discards prepared statements and the cached schema.
  package func forgetStatements() {
    prepared.removeAll()
    tables.forget()
  }

  /// Prepares a statement of Strata's own.
  ///
  /// - Parameters:
  ///   - isLimited: Whether it contains an expression of the user: then it has a budget in every file.
  ///   - isReadAtOnce: Whether its rows are read at once, see ``StatementLog/isComplete``.
  package func prepare(
    _ sql: String, isLimited: Bool = false, isReadAtOnce: Bool = false
  ) throws(StoreError) -> SQLiteStatement {
    var limit = isLimited ? meter.limit : nil
    if let known = limit, known.size == nil { limit?.size = try size() }
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw failure(code, sql) }
    return SQLiteStatement(
      statement: statement, connection: handle, sql: sql, listener, meter, files, limit: limit,
      isReadAtOnce: isReadAtOnce)
  }

  /// Runs a statement; one with values is prepared once for each text.
  func run<Result>(
    _ sql: String, _ values: [AttributeValue],
    _ body: (borrowing SQLiteStatement) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard !values.isEmpty else { return try body(prepare(sql, isReadAtOnce: true)) }
    let used: PreparedStatement
    if let known = prepared.take(sql) {
      used = known
    } else {
      used = PreparedStatement(try prepare(sql, isReadAtOnce: true))
      prepared.keep(used, sql)
    }
    defer { prepared.putBack(used) }
    try used.statement.bind(values)
    return try body(used.statement)
  }

  /// Runs a statement that returns no rows.
  package func execute(_ sql: String, _ values: [AttributeValue] = []) throws(StoreError) {
    try run(sql, values) { (statement) throws(StoreError) in while try statement.step() {} }
  }

  /// All rows of a small query.
  package func rows(_ sql: String, _ values: [AttributeValue] = []) throws(StoreError)
    -> [[AttributeValue]]
  {
    try run(sql, values) { (statement) throws(StoreError) in
      var rows: [[AttributeValue]] = []
      while try statement.step() { rows.append(statement.row) }
      return rows
    }
  }

  /// The bytes of each table with its indexes, by table.
  ///
  /// - Throws: ``StoreError`` if SQLite was built without `dbstat`.
  package func pageRows() throws(StoreError) -> [(table: String, size: Int)] {
    var owners: [String: String] = [:]
    for row in try rows("SELECT name, tbl_name FROM sqlite_master") {
      if case .text(let name) = row[0], case .text(let table) = row[1] { owners[name] = table }
    }
    // A table of the file must not shadow `dbstat`.
    guard !owners.keys.contains(where: { $0.lowercased() == "dbstat" }) else { return [] }
    // SQLite declares its virtual tables with statements that the authorizer denies.
    let pages = try withoutAuthorizer { connection throws(StoreError) in
      try connection.rows("SELECT name, pgsize FROM dbstat WHERE aggregate = TRUE")
    }
    return pages.compactMap { row in
      guard case .text(let name) = row[0], case .integer(let size) = row[1] else { return nil }
      return (owners[name] ?? name, Int(size))
    }
  }

  /// Runs statements of Strata that the authorizer denies otherwise.
  package func withoutAuthorizer<Result>(
    _ body: (SQLiteConnection) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    guard isReadOnly else { return try body(self) }
    sqlite3_set_authorizer(handle, nil, nil)
    defer { sqlite3_set_authorizer(handle, Self.allowReading, guardState) }
    return try body(self)
  }

  /// The name of the attached file.
  package static let attachedName = "source"

  /// Attaches another file, read-only; the user's queries do not see it.
  package func attach(_ path: String, mode: Mode) throws(StoreError) {
    let name = Self.attachedName
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 1)
    let resolved = try Self.resolvedFile(at: path)
    try execute(
      "ATTACH ? AS \(name.quoted)",
      [.text(Self.uri(resolved?.path ?? path) + (mode == .immutable ? "?immutable=1" : "?mode=ro"))]
    )
    if let resolved { try checkFile(name, is: resolved) }
  }

  // MARK: Permitted files

  /// The path to open if only some files may be read: SQLite opens files by path.
  private static func resolvedFile(
    at path: String
  ) throws(StoreError) -> (path: String, identity: FileIdentity?)? {
    do {
      return try OpenedPath.resolvedFile(at: path)
    } catch {
      throw .unreadable(reason: error.diagnostic.what)
    }
  }

  /// Checks that SQLite has opened the permitted file: a folder may have been replaced with a link since the check.
  private func checkFile(
    _ name: String, is resolved: (path: String, identity: FileIdentity?)
  ) throws(StoreError) {
    var hasMoved: Int32 = 1
    let code = sqlite3_file_control(handle, name, SQLITE_FCNTL_HAS_MOVED, &hasMoved)
    let now = try Self.resolvedFile(at: resolved.path)
    guard code == SQLITE_OK, hasMoved == 0, now?.path == resolved.path, let found = now?.identity,
      resolved.identity == nil || found == resolved.identity
    else { throw .changedMeanwhile }
  }

  /// The result of the integrity check of the file, or of one table.
  ///
  /// - Parameter subject: A table, or the maximum number of faults; by default the whole file and a hundred faults.
  package func faults(_ subject: String? = nil) throws(StoreError) -> [String] {
    try rows("PRAGMA integrity_check" + (subject.map { "(\($0))" } ?? ""))
      .compactMap { $0[0].text }.filter { $0 != "ok" }
  }

  /// Copies the whole database page by page, as this connection sees it.
  package func copy(to path: String) throws(StoreError) {
    let target = try SQLiteConnection(path: path, mode: .create)
    guard let backup = sqlite3_backup_init(target.handle, "main", handle, "main") else {
      throw target.failure(sqlite3_errcode(target.handle), "backup")
    }
    var code = SQLITE_OK
    while code == SQLITE_OK, !Interruption.isRequested { code = sqlite3_backup_step(backup, 1000) }
    sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE else {
      throw code == SQLITE_OK ? .interrupted : target.failure(code, "backup")
    }
  }

  /// Limits the growth of the file to this many pages.
  package func boundGrowth(pages: Int) throws(StoreError) {
    let count = try number("PRAGMA page_count")
    _ = try rows("PRAGMA max_page_count = \(count + pages)")
  }

  /// Logs the statements from now on.
  ///
  /// - Parameter tag: Their origin, unless the work that runs them sets it.
  package func setLog(
    _ log: StatementLog?, as side: TraceStatement.Side, by tag: TraceStatement.Tag
  ) {
    listener.log = log
    listener.side = side
    listener.tag = tag
  }

  /// Tells the log the entity of each table.
  package func name(_ entities: [String: String]) {
    listener.entities = entities
    listener.forget()
  }

  /// Runs work whose statements are logged as Core Data's.
  package func coreData<Result: ~Copyable, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try listener.log.coreData(body)
  }

  /// Lets errors of the content ask whether the files have changed since they were opened: another program's writes
  /// make them look damaged.
  package func notice(haveChanged: @escaping () -> Bool) { files.haveChanged = haveChanged }

  /// The number of rows that the last statement changed.
  package var changeCount: Int { Int(sqlite3_changes64(handle)) }

  private func failure(_ code: Int32, _ sql: String) -> StoreError {
    .ofStatement(code, sql, on: handle, files, stop: meter.takeStop())
  }
}

extension FileCause {
  /// The cause of the last failed system call of SQLite; `nil` if there is none.
  package init?(ofSQLite connection: OpaquePointer) {
    let number = sqlite3_system_errno(connection)
    guard number != 0 else { return nil }
    self.init(errno: number)
  }
}

extension StoreError {
  /// The error for a result code of a statement.
  static func ofStatement(
    _ code: Int32, _ sql: String, on connection: OpaquePointer, _ files: FilesRead,
    stop: BudgetSpent?
  ) -> StoreError {
    let error = ofSQLite(
      code, message: String(cString: sqlite3_errmsg(connection)), sql: sql,
      FileCause(ofSQLite: connection), isReading: sqlite3_db_readonly(connection, "main") == 1,
      stop: stop)
    guard !error.isOfContent || !files.haveChanged() else { return .changedMeanwhile }
    // A rehearsal never writes to its store.
    guard case .unwritable(let reason) = error,
      let file = sqlite3_db_filename(connection, "main").map({ String(cString: $0) }),
      PrivateFolderName.isWithin(file)
    else { return error }
    return .noTemporaryFolder(reason: reason)
  }

  /// Whether it tells of the content of the files; other errors are of the machine, such as a full disk.
  package var isOfContent: Bool {
    switch self {
    case .damaged, .truncated, .notSQLite: true
    case .sqlite(let code, _, _):
      ![SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_NOMEM].contains(code & 0xFF)
    default: false
    }
  }

  /// The second bytes of `SQLITE_IOERR_WRITE`, `_FSYNC`, `_DIR_FSYNC`, `_TRUNCATE`, `_DELETE`, `_LOCK`, `_SHMOPEN`,
  /// `_SHMSIZE`, `_SHMLOCK` and `_SHMMAP`, which are not imported into Swift.
  private static let writingFailures: Set<Int32> = [3, 4, 5, 6, 10, 15, 18, 19, 20, 21]

  /// The error for a result code of reading a store.
  ///
  /// - Parameters:
  ///   - cause: The system error, if SQLite could not open, read or write a file.
  ///   - isReading: Whether the connection is for reading.
  ///   - stop: The exceeded budget, if the statement was stopped for it.
  static func ofSQLite(
    _ code: Int32, message: String, sql: String?, _ cause: FileCause?, isReading: Bool,
    stop: BudgetSpent? = nil
  ) -> StoreError {
    switch code & 0xFF {
    case SQLITE_CANTOPEN where cause != nil && isReading:
      .unreadable(reason: cause?.message ?? message)
    case SQLITE_CANTOPEN where cause != nil:
      .unwritable(reason: cause?.message ?? message)
    case SQLITE_CORRUPT: .damaged(message)
    case SQLITE_BUSY, SQLITE_LOCKED: .locked
    case SQLITE_FULL:
      .unwritable(reason: "no space left, or the store would grow too much")
    case SQLITE_READONLY, SQLITE_PERM: .unwritable(reason: "the store or its folder is read-only")
    case SQLITE_IOERR where Self.writingFailures.contains(code >> 8):
      .unwritable(
        reason:
          cause.map { "\($0.message) (SQLite code \(code))" }
          ?? "it cannot be written or locked (SQLite code \(code)): a full disk, a limit on file "
          + "sizes, or a read-only file system")
    case SQLITE_IOERR where cause != nil:
      .unreadable(reason: "\(cause?.message ?? message) (SQLite code \(code))")
    case SQLITE_NOTADB: .notSQLite(kind: nil)
    case SQLITE_INTERRUPT: stop.map(StoreError.budgetSpent) ?? .interrupted
    default: .sqlite(code: code, message: message, sql: sql)
    }
  }
}
