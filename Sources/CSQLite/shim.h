#pragma once
#include <sqlite3.h>

/// `sqlite3_db_config` is variadic, and Swift imports no variadic function.
static inline int strata_sqlite3_db_config_flag(sqlite3 *db, int option, int value) {
  return sqlite3_db_config(db, option, value, (int *)0);
}

/// `sqlite3_config` is variadic, too.
static inline int strata_sqlite3_config_flag(int option, int value) { return sqlite3_config(option, value); }

/// `SQLITE_TRANSIENT` is a cast of -1 to a function pointer, which Swift does not import.
static inline int strata_sqlite3_bind_text(sqlite3_stmt *statement, int index, const char *bytes,
                                           sqlite3_uint64 count) {
  // A null pointer would bind NULL, and Swift has one for empty text.
  return sqlite3_bind_text64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int strata_sqlite3_bind_blob(sqlite3_stmt *statement, int index, const void *bytes,
                                           sqlite3_uint64 count) {
  return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

static inline void strata_sqlite3_result_text(sqlite3_context *call, const char *bytes,
                                              sqlite3_uint64 count) {
  sqlite3_result_text64(call, bytes ? bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline void strata_sqlite3_result_blob(sqlite3_context *call, const void *bytes,
                                              sqlite3_uint64 count) {
  sqlite3_result_blob64(call, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}
