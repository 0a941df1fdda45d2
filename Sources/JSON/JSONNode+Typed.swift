/// Values of the kind that is needed, or an error that says what stands there instead.
extension JSONNode {
    /// A member that has to be there.
    public func member(_ name: StaticString) throws(DocumentProblem) -> JSONNode {
        try require(.object)
        guard let value = self[name] else { throw problem("the member \"\(name)\" is missing") }
        return value
    }

    /// Elements of an array.
    public func array() throws(DocumentProblem) -> Elements {
        try require(.array)
        return elements
    }

    /// The first element of an array that has to have one.
    public func first() throws(DocumentProblem) -> JSONNode {
        var elements = try array()
        guard let first = elements.next() else { throw problem("an empty array; at least one element is needed") }
        return first
    }

    /// Members of an object; throws a problem with the value's path for any other kind.
    public func object() throws(DocumentProblem) -> Members {
        try require(.object)
        return members
    }

    /// Text of a string; throws a problem with the value's path for any other kind.
    public func text() throws(DocumentProblem) -> String {
        guard let string else { throw unexpected(.text) }
        return string
    }

    /// Value of a number; throws a problem with the value's path for any other kind.
    public func double() throws(DocumentProblem) -> Double {
        guard let number else { throw unexpected(.number) }
        return number
    }

    /// Value of a number without a fraction; throws a problem with the value's path for anything else.
    public func integer() throws(DocumentProblem) -> Int {
        let number = try double()
        guard let integer = Int(exactly: number) else { throw problem("a whole number is needed, not \(number)") }
        return integer
    }

    /// Throws a problem with the value's path if the value is of another kind.
    public func require(_ kind: Kind) throws(DocumentProblem) {
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
