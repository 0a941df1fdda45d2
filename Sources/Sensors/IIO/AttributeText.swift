/// Parses an attribute's text as a decimal number, ignoring white space and zero bytes around it.
///
/// - Returns: nil unless the text is exactly one finite decimal number.
func decimal(_ text: String) -> Double? {
    let bytes = trimmed(text)
    guard let value = Double(bytes), value.isFinite else { return nil }
    // `Double` also parses hexadecimal, which no attribute uses.
    return bytes.utf8.contains(where: { $0 == 0x78 || $0 == 0x58 }) ? nil : value
}

/// The text without white space and zero bytes around it.
func trimmed(_ text: String) -> Substring {
    func isBlank(_ character: Character) -> Bool { character.isWhitespace || character == "\0" }
    var rest = text[...]
    while let first = rest.first, isBlank(first) { rest.removeFirst() }
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
}
