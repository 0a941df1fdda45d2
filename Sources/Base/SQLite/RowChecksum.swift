import CSQLite
import CZlib

/// The SQL function `row_checksum(…)`: CRC-32 of its arguments with their types and lengths. SQLite itself has no
/// checksums, and does not detect a flipped bit within a value.
extension Database {
    package func defineRowChecksum() throws(DatabaseError) {
        let code = sqlite3_create_function_v2(
            handle, "row_checksum", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
            Unmanaged.passRetained(RowBytes()).toOpaque(),
            { context, count, values in
                let row = Unmanaged<RowBytes>.fromOpaque(sqlite3_user_data(context)).takeUnretainedValue()
                sqlite3_result_int(context, row.checksum(UnsafeBufferPointer(start: values, count: Int(count))))
            }, nil, nil, { Unmanaged<RowBytes>.fromOpaque($0!).release() })
        guard code == SQLITE_OK else { throw failure(code) }
    }
}

/// Bytes of a row, in memory that is reused for the next row.
private final class RowBytes {
    private var bytes: [UInt8] = []

    /// Returns the checksum, which is signed so that it takes four bytes in a row instead of six.
    func checksum(_ values: UnsafeBufferPointer<OpaquePointer?>) -> Int32 {
        // Moved into a local variable, since each access to an object's property would be checked for exclusivity.
        var row: [UInt8] = []
        swap(&row, &bytes)
        defer { swap(&row, &bytes) }
        row.removeAll(keepingCapacity: true)
        for value in values { Self.append(value, to: &row) }
        return Int32(bitPattern: UInt32(truncatingIfNeeded: crc32_z(0, row, row.count)))
    }

    private static func append(_ value: OpaquePointer?, to row: inout [UInt8]) {
        let type = sqlite3_value_type(value)
        switch type {
        case SQLITE_INTEGER: append(type, UInt64(bitPattern: sqlite3_value_int64(value)), to: &row)
        // A column stores −0 as 0.
        case SQLITE_FLOAT: append(type, (sqlite3_value_double(value) + 0).bitPattern, to: &row)
        case SQLITE_NULL: append(type, 0, to: &row)
        default:
            let start = sqlite3_value_blob(value)
            let count = Int(sqlite3_value_bytes(value))
            append(type, UInt64(count), to: &row)
            row.append(contentsOf: UnsafeRawBufferPointer(start: start, count: count))
        }
    }

    private static func append(_ type: Int32, _ number: UInt64, to row: inout [UInt8]) {
        row.append(UInt8(truncatingIfNeeded: type))
        // The byte order is the same on every machine, because a disk may be moved to another machine.
        withUnsafeBytes(of: number.littleEndian) { row.append(contentsOf: $0) }
    }
}
