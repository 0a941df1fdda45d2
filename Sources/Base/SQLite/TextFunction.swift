import CSQLite

/// SQL functions that make a text from texts, for triggers and views.
extension Database {
    /// Defines a function that depends only on its arguments. A program that does not define the function cannot change
    /// tables whose triggers call it.
    package func define(
        _ name: String, arguments: Int32, _ body: @escaping @Sendable ([String]) -> String
    ) throws(DatabaseError) {
        let code = sqlite3_create_function_v2(
            handle, name, arguments, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
            Unmanaged.passRetained(TextFunction(body: body)).toOpaque(),
            { context, count, values in
                let function = Unmanaged<TextFunction>.fromOpaque(sqlite3_user_data(context)).takeUnretainedValue()
                var result = function.body(UnsafeBufferPointer(start: values, count: Int(count)).map(TextFunction.text))
                result.withUTF8 { bytes in
                    // SQLITE_TRANSIENT: the text is copied before the call returns.
                    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
                    bytes.withMemoryRebound(to: CChar.self) { characters in
                        // A null pointer would yield NULL instead of an empty text.
                        guard let first = characters.baseAddress else {
                            return sqlite3_result_text(context, "", 0, copied)
                        }
                        sqlite3_result_text(context, first, Int32(characters.count), copied)
                    }
                }
            }, nil, nil, { Unmanaged<TextFunction>.fromOpaque($0!).release() })
        guard code == SQLITE_OK else { throw failure(code) }
    }
}

private final class TextFunction: Sendable {
    let body: @Sendable ([String]) -> String

    init(body: @escaping @Sendable ([String]) -> String) { self.body = body }

    static func text(_ value: OpaquePointer?) -> String {
        guard let bytes = sqlite3_value_text(value) else { return "" }
        let count = Int(sqlite3_value_bytes(value))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}
