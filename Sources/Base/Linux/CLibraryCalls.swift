/// Calls a function of a C library. If the function fails, it has to return nil and write the reason into its buffer.
///
/// - Parameter capacity: size of the buffer. Unit: bytes.
package func withProblemText<Value>(
    capacity: Int = 256, _ body: (UnsafeMutablePointer<CChar>, Int) -> Value?
) -> (value: Value?, problem: String) {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
        buffer[0] = 0
        let value = body(buffer.baseAddress!, buffer.count)
        return (value, value == nil ? String(cString: buffer.baseAddress!) : "")
    }
}

/// Calls `body` with the texts as C strings; nil stays nil.
package func withCStrings<Value>(_ texts: [String?], _ body: ([UnsafePointer<CChar>?]) -> Value) -> Value {
    func next(_ pointers: [UnsafePointer<CChar>?]) -> Value {
        guard pointers.count < texts.count else { return body(pointers) }
        guard let text = texts[pointers.count] else { return next(pointers + [nil]) }
        return text.withCString { next(pointers + [$0]) }
    }
    return next([])
}
