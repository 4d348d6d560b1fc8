// The yardstick of filling a store: one prepared statement of SQLite's C interface, and the same values.
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POOL 1000

static void check(int code, sqlite3 *store) {
  if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW) {
    fprintf(stderr, "%s\n", sqlite3_errmsg(store));
    exit(1);
  }
}

int main(int argc, char **argv) {
  if (argc != 3) return 64;
  long count = atol(argv[2]);
  sqlite3 *store;
  check(sqlite3_open(argv[1], &store), store);
  check(sqlite3_exec(store,
                     "PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL;"
                     "PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; BEGIN;"
                     "CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                     "ZACTIVE INTEGER, ZAGE INTEGER, ZAMOUNT INTEGER, ZSIZE INTEGER, ZBORN TIMESTAMP, "
                     "ZHEIGHT FLOAT, ZSCORE FLOAT, ZPRICE DECIMAL, ZCITY VARCHAR, ZCODE VARCHAR, "
                     "ZMAIL VARCHAR, ZIDENT BLOB )",
                     0, 0, 0),
        store);
  static char city[POOL][32], code[POOL][32], mail[POOL][32];
  static unsigned char ident[POOL][16];
  for (int i = 0; i < POOL; i++) {
    snprintf(city[i], 32, "city number %d", i);
    snprintf(code[i], 32, "code number %d", i);
    snprintf(mail[i], 32, "mail number %d", i);
    for (int j = 0; j < 16; j++) ident[i][j] = (unsigned char)(i + j);
  }
  sqlite3_stmt *insert;
  check(sqlite3_prepare_v2(store,
                           "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZACTIVE, ZAGE, ZAMOUNT, ZBORN, "
                           "ZCITY, ZCODE, ZHEIGHT, ZIDENT, ZMAIL, ZPRICE, ZSCORE, ZSIZE) "
                           "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                           -1, &insert, 0),
        store);
  for (long row = 0; row < count; row++) {
    int i = (int)(row % POOL);
    long number = i * 37 % 1000;
    double real = i * 1.25;
    sqlite3_bind_int64(insert, 1, row + 1);
    sqlite3_bind_int64(insert, 2, 1);
    sqlite3_bind_int64(insert, 3, 1);
    sqlite3_bind_int64(insert, 4, i & 1);
    sqlite3_bind_int64(insert, 5, number);
    sqlite3_bind_int64(insert, 6, number);
    sqlite3_bind_double(insert, 7, real);
    sqlite3_bind_text(insert, 8, city[i], (int)strlen(city[i]), SQLITE_TRANSIENT);
    sqlite3_bind_text(insert, 9, code[i], (int)strlen(code[i]), SQLITE_TRANSIENT);
    sqlite3_bind_double(insert, 10, real);
    sqlite3_bind_blob(insert, 11, ident[i], 16, SQLITE_TRANSIENT);
    sqlite3_bind_text(insert, 12, mail[i], (int)strlen(mail[i]), SQLITE_TRANSIENT);
    sqlite3_bind_double(insert, 13, real);
    sqlite3_bind_double(insert, 14, real);
    sqlite3_bind_int64(insert, 15, number);
    check(sqlite3_step(insert), store);
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  check(sqlite3_exec(store, "COMMIT", 0, 0, 0), store);
  check(sqlite3_close(store), store);
  return 0;
}
