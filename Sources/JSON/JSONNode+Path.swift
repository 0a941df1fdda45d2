/// Path of a value in its document.
extension JSONNode {
    /// Path such as `$.routes[0].legs[1].duration`.
    ///
    /// Worked out from the tree when it is asked for, so that documents without a problem pay nothing for it.
    public var path: String {
        var path = reader.root
        var node = JSONNode(reader: reader, index: 0)
        while node.index < index, let step = node.step(towards: index) {
            path += step.text
            node = step.child
        }
        return path
    }

    private func step(towards index: Int) -> (child: JSONNode, text: String)? {
        switch kind {
        case .array:
            for (number, element) in elements.enumerated() where index < element.end { return (element, "[\(number)]") }
        case .object:
            var values = members.values
            while let name = values.next() {
                guard let value = values.next() else {
                    // A name whose value could not be read: the last of what there is.
                    return (name, JSONNode.member(name))
                }
                if index < value.end { return (value, JSONNode.member(name)) }
            }
        default: break
        }
        return nil
    }

    /// Step to a member: `.name`, or `["a name"]` with the escapes of JSON where the short form would be ambiguous.
    private static func member(_ name: JSONNode) -> String {
        // By scalars: a character may be as long as its maker likes.
        let scalars = (name.string ?? "").unicodeScalars.prefix(longestName)
        let isPlain = scalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_"
        }
        guard !isPlain || scalars.isEmpty else { return "." + String(String.UnicodeScalarView(scalars)) }
        return "[\"\(scalars.map(escaped).joined())\"]"
    }

    /// Number of characters of a name that are shown. Unit: Unicode scalars.
    private static let longestName = 80

    /// Escape such as `\u001b` of a scalar that is invisible, ends the line or changes its direction.
    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator:
            return String(scalar).utf16.map { unit in
                let digits = String(unit, radix: 16)
                return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }.joined()
        default: return scalar == "\"" || scalar == "\\" ? "\\\(scalar)" : String(scalar)
        }
    }

    /// Says what is wrong with this value.
    public func problem(_ message: String) -> DocumentProblem { DocumentProblem(path: path, message: message) }
}
