#include "CSQLite.h"

#include "CLoadedLibrary.h"

/* The functions that are used: name, type, parameters, arguments. */
#define SQLITE_FUNCTIONS(use) \
    use(sqlite3_bind_blob, int, (sqlite3_stmt *statement, int index, const void *value, int size, \
        void (*destroy)(void *)), (statement, index, value, size, destroy)) \
    use(sqlite3_bind_double, int, (sqlite3_stmt *statement, int index, double value), (statement, index, value)) \
    use(sqlite3_bind_int64, int, (sqlite3_stmt *statement, int index, sqlite3_int64 value), (statement, index, value)) \
    use(sqlite3_bind_null, int, (sqlite3_stmt *statement, int index), (statement, index)) \
    use(sqlite3_bind_pointer, int, (sqlite3_stmt *statement, int index, void *value, const char *type, \
        void (*destroy)(void *)), (statement, index, value, type, destroy)) \
    use(sqlite3_bind_text, int, (sqlite3_stmt *statement, int index, const char *value, int size, \
        void (*destroy)(void *)), (statement, index, value, size, destroy)) \
    use(sqlite3_busy_timeout, int, (sqlite3 *database, int milliseconds), (database, milliseconds)) \
    use(sqlite3_changes, int, (sqlite3 *database), (database)) \
    use(sqlite3_close, int, (sqlite3 *database), (database)) \
    use(sqlite3_close_v2, int, (sqlite3 *database), (database)) \
    use(sqlite3_column_blob, const void *, (sqlite3_stmt *statement, int column), (statement, column)) \
    use(sqlite3_column_bytes, int, (sqlite3_stmt *statement, int column), (statement, column)) \
    use(sqlite3_column_double, double, (sqlite3_stmt *statement, int column), (statement, column)) \
    use(sqlite3_column_int64, sqlite3_int64, (sqlite3_stmt *statement, int column), (statement, column)) \
    use(sqlite3_column_text, const unsigned char *, (sqlite3_stmt *statement, int column), (statement, column)) \
    use(sqlite3_column_type, int, (sqlite3_stmt *statement, int column), (statement, column)) \
    use(sqlite3_create_function_v2, int, (sqlite3 *database, const char *name, int arguments, int encoding, \
        void *context, void (*function)(sqlite3_context *, int, sqlite3_value **), void (*step)(sqlite3_context *, \
        int, sqlite3_value **), void (*final)(sqlite3_context *), void (*destroy)(void *)), (database, name, \
        arguments, encoding, context, function, step, final, destroy)) \
    use(sqlite3_db_readonly, int, (sqlite3 *database, const char *name), (database, name)) \
    use(sqlite3_db_status, int, (sqlite3 *database, int counter, int *current, int *highest, int reset), \
        (database, counter, current, highest, reset)) \
    use(sqlite3_errmsg, const char *, (sqlite3 *database), (database)) \
    use(sqlite3_exec, int, (sqlite3 *database, const char *sql, int (*callback)(void *, int, char **, char **), \
        void *context, char **message), (database, sql, callback, context, message)) \
    use(sqlite3_finalize, int, (sqlite3_stmt *statement), (statement)) \
    use(sqlite3_last_insert_rowid, sqlite3_int64, (sqlite3 *database), (database)) \
    use(sqlite3_open_v2, int, (const char *file, sqlite3 **database, int flags, const char *vfs), \
        (file, database, flags, vfs)) \
    use(sqlite3_prepare_v2, int, (sqlite3 *database, const char *sql, int size, sqlite3_stmt **statement, \
        const char **tail), (database, sql, size, statement, tail)) \
    use(sqlite3_prepare_v3, int, (sqlite3 *database, const char *sql, int size, unsigned int flags, \
        sqlite3_stmt **statement, const char **tail), (database, sql, size, flags, statement, tail)) \
    use(sqlite3_progress_handler, void, (sqlite3 *database, int interval, int (*callback)(void *), void *context), \
        (database, interval, callback, context)) \
    use(sqlite3_reset, int, (sqlite3_stmt *statement), (statement)) \
    use(sqlite3_result_int, void, (sqlite3_context *context, int value), (context, value)) \
    use(sqlite3_result_text, void, (sqlite3_context *context, const char *value, int size, void (*destroy)(void *)), \
        (context, value, size, destroy)) \
    use(sqlite3_set_last_insert_rowid, void, (sqlite3 *database, sqlite3_int64 row), (database, row)) \
    use(sqlite3_step, int, (sqlite3_stmt *statement), (statement)) \
    use(sqlite3_stmt_status, int, (sqlite3_stmt *statement, int counter, int reset), (statement, counter, reset)) \
    use(sqlite3_system_errno, int, (sqlite3 *database), (database)) \
    use(sqlite3_user_data, void *, (sqlite3_context *context), (context)) \
    use(sqlite3_value_blob, const void *, (sqlite3_value *value), (value)) \
    use(sqlite3_value_bytes, int, (sqlite3_value *value), (value)) \
    use(sqlite3_value_double, double, (sqlite3_value *value), (value)) \
    use(sqlite3_value_int64, sqlite3_int64, (sqlite3_value *value), (value)) \
    use(sqlite3_value_text, const unsigned char *, (sqlite3_value *value), (value)) \
    use(sqlite3_value_type, int, (sqlite3_value *value), (value))

static struct { SQLITE_FUNCTIONS(LOADED_MEMBER) } functions;
static loaded_library library = LOADED_LIBRARY("libsqlite3.so.0", functions, SQLITE_FUNCTIONS, NULL);

SQLITE_FUNCTIONS(LOADED_FORWARD)
