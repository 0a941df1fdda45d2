/// Typed access. If the value is of another kind, throws a `DocumentProblem` that names the value's path.
extension JSONNode {
    /// Returns a required member; throws a `DocumentProblem` if the member is missing.
    public func member(_ name: StaticString) throws(DocumentProblem) -> JSONNode {
        try require(.object)
        guard let value = self[name] else { throw problem("the member \"\(name)\" is missing") }
        return value
    }

    package func array() throws(DocumentProblem) -> Elements {
        try require(.array)
        return elements
    }

    /// Returns the first element of an array; throws a `DocumentProblem` if the array is empty.
    public func first() throws(DocumentProblem) -> JSONNode {
        var elements = try array()
        guard let first = elements.next() else { throw problem("an empty array; at least one element is needed") }
        return first
    }

    package func object() throws(DocumentProblem) -> Members {
        try require(.object)
        return members
    }

    package func text() throws(DocumentProblem) -> String {
        guard let string else { throw unexpected(.text) }
        return string
    }

    package func double() throws(DocumentProblem) -> Double {
        guard let number else { throw unexpected(.number) }
        return number
    }

    /// Returns a whole number; for any other value throws a `DocumentProblem` that names the value's path.
    public func integer() throws(DocumentProblem) -> Int {
        let number = try double()
        guard let integer = Int(exactly: number) else { throw problem("a whole number is needed, not \(number)") }
        return integer
    }

    package func require(_ kind: Kind) throws(DocumentProblem) {
        guard self.kind == kind else { throw unexpected(kind) }
    }

    private func unexpected(_ kind: Kind) -> DocumentProblem {
        problem("\(kind.words) is needed, not \(self.kind.words)")
    }
}

extension JSONNode.Kind {
    /// Name of the kind with its article, for messages.
    package var words: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .text: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// Path of a value in its document.
extension JSONNode {
    /// Path such as `$.routes[0].legs[1].duration`. It is computed from the tree on demand, so that documents without a
    /// problem do not pay for it.
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
                    // The last node of the tree is a name whose value could not be read.
                    return (name, JSONNode.member(name))
                }
                if index < value.end { return (value, JSONNode.member(name)) }
            }
        default: break
        }
        return nil
    }

    /// Returns the step to a member: `.name`, or `["a name"]` with JSON escapes if the short form would be ambiguous.
    private static func member(_ name: JSONNode) -> String {
        // The length is counted in scalars, since one character may consist of any number of them.
        let scalars = (name.string ?? "").unicodeScalars.prefix(maximumNameLength)
        let isPlain = scalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_"
        }
        guard !isPlain || scalars.isEmpty else { return "." + String(String.UnicodeScalarView(scalars)) }
        return "[\"\(scalars.map(escaped).joined())\"]"
    }

    /// Number of characters of a name that are shown. Unit: Unicode scalars.
    private static let maximumNameLength = 80

    /// Returns the escape, such as `\u001b`, of a scalar that is invisible, ends the line or changes its direction.
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

    /// Makes a problem of this value, with its path.
    public func problem(_ message: String) -> DocumentProblem { DocumentProblem(path: path, message: message) }
}
