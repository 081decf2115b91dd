// SQLite, and what of it is a macro or takes a variable number of arguments.
#ifndef PAWL_CSQLITE_H
#define PAWL_CSQLITE_H

#include <sqlite3.h>
#include <sys/syscall.h>
#include <unistd.h>

// The bytes are copied: whoever binds them may free them at once. No bytes are an empty value, not NULL.
static inline int pawl_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                      : sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int pawl_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

// Has SQLite count no memory, which would take a lock at each allocation. Only before anything else is asked of it.
static inline int pawl_sqlite_leave_memory_uncounted(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

// Takes a file for what it may be: written by somebody else.
static inline int pawl_sqlite_defend(sqlite3 *database) {
    int result = sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
    if (result != SQLITE_OK) return result;
    return sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

// Sends what was written to a part of a file to the disk, and waits until it is there; the disk may still hold it in a memory of
// its own. Not 0: it cannot be told to.
static inline int pawl_write_back(int descriptor, long long start, long long count) {
    // SYNC_FILE_RANGE_WAIT_BEFORE, _WRITE and _WAIT_AFTER.
    return (int)syscall(SYS_sync_file_range, descriptor, start, count, 7);
}

// Puts what was written to the file of the database on the disk.
static inline int pawl_sqlite_sync(sqlite3 *database) {
    sqlite3_file *file = 0;
    int result = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (result != SQLITE_OK) return result;
    // Of a file that is not open there are none.
    if (file == 0 || file->pMethods == 0) return SQLITE_OK;
    return file->pMethods->xSync(file, SQLITE_SYNC_NORMAL | SQLITE_SYNC_DATAONLY);
}

#endif
