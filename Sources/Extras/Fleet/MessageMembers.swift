import JSON

/// Members of a message without the enclosing braces, so that others can be prepended when it is sent.
enum MessageMembers {
    static func write(into json: inout JSONWriter, _ body: (inout JSONWriter) -> Void) -> [UInt8] {
        json.removeAll()
        json.object(body)
        return Array(json.bytes.dropFirst().dropLast())
    }
}
