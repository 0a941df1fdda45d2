/// A type that is written as one JSON value.
public protocol JSONWritable {
    /// Appends the value.
    func write(into json: inout JSONWriter)
}

/// A type that is read from one JSON value.
public protocol JSONReadable {
    /// - Throws: the path of the value that is missing or of another type.
    init(_ node: JSONNode) throws(DocumentProblem)
}

extension JSONWriter {
    /// Writes a member; leaves it out if the value is nil.
    @inlinable
    public mutating func member<Value: JSONWritable>(_ name: StaticString, _ value: Value?) {
        guard let value else { return }
        key(name)
        value.write(into: &self)
    }

    /// Writes a member with a number, rounded unless `precision` is exact. Leaves the member out if the number is nil
    /// or not finite.
    @inlinable
    public mutating func member(_ name: StaticString, _ value: Double?, decimals: Int) {
        member(name, value, precision.form(decimals: decimals))
    }

    /// Writes a required member with a number, rounded unless `precision` is exact. Sets `lacksNumber` if the number is
    /// not finite.
    @inlinable
    public mutating func member(_ name: StaticString, _ value: Double, decimals: Int) {
        member(name, value, precision.form(decimals: decimals))
    }

    /// Writes a member with an array of numbers. Leaves it out if the array is nil or contains a number that is not
    /// finite.
    public mutating func member(_ name: StaticString, _ values: [Double]?, _ form: NumberForm) {
        guard let values else { return }
        guard values.allSatisfy(\.isFinite) else { return hasOmittedNumber = true }
        key(name)
        value(values, form)
    }

    /// Writes a member with rows of numbers. Leaves it out if the rows are nil or contain a number that is not finite.
    public mutating func member(_ name: StaticString, rows: [[Double]]?, _ form: NumberForm) {
        guard let rows else { return }
        guard rows.allSatisfy({ $0.allSatisfy(\.isFinite) }) else { return hasOmittedNumber = true }
        key(name)
        beginArray()
        for row in rows { value(row, form) }
        endArray()
    }

    /// Writes a required member with an array of numbers. If a number is not finite, leaves the member out and sets
    /// `lacksNumber`.
    public mutating func member(_ name: StaticString, _ values: [Double], _ form: NumberForm) {
        lacksNumber = lacksNumber || !values.allSatisfy(\.isFinite)
        member(name, Optional(values), form)
    }

    /// Writes a required member with rows of numbers. If a number is not finite, leaves the member out and sets
    /// `lacksNumber`.
    public mutating func member(_ name: StaticString, rows: [[Double]], _ form: NumberForm) {
        lacksNumber = lacksNumber || !rows.allSatisfy { $0.allSatisfy(\.isFinite) }
        member(name, rows: Optional(rows), form)
    }

    /// Writes an array of numbers. A number that is not finite becomes `null`, and sets `lacksNumber`.
    public mutating func value(_ values: [Double], _ form: NumberForm) {
        beginArray()
        for number in values { value(number, form) }
        endArray()
    }
}

extension JSONNode {
    /// Returns a required member, which must not be null. Not specialised for each type, to save code, because hundreds
    /// of fields use this function, each of them rarely.
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    public func required<Value: JSONReadable>(
        _ name: StaticString, as type: Value.Type = Value.self
    ) throws(DocumentProblem) -> Value {
        guard let value = self[name] else { throw missing(name) }
        return try Value(value)
    }

    /// Returns an optional member; nil if it is missing or null.
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    public func optional<Value: JSONReadable>(
        _ name: StaticString, as type: Value.Type = Value.self
    ) throws(DocumentProblem) -> Value? {
        guard let value = self[name] else { return nil }
        return try Value(value)
    }
}

/// Access to numbers without generic code, which would be slow without specialisation.
extension JSONNode {
    /// Returns a required number.
    public func required(_ name: StaticString) throws(DocumentProblem) -> Double {
        guard let value = self[name] else { throw missing(name) }
        return try value.double()
    }

    /// Returns an optional number; nil if it is missing or null.
    public func optional(_ name: StaticString) throws(DocumentProblem) -> Double? {
        guard let value = self[name] else { return nil }
        return try value.double()
    }

    /// Makes the problem of an object that lacks this member.
    package func missing(_ name: StaticString) -> DocumentProblem {
        DocumentProblem(path: "\(path).\(name)", message: "it is missing")
    }
}

extension Bool: JSONReadable, JSONWritable {
    /// Reads true or false.
    public init(_ node: JSONNode) throws(DocumentProblem) {
        guard let value = node.bool else { throw node.problem("true or false is needed") }
        self = value
    }

    /// Appends true or false.
    @inlinable
    public func write(into json: inout JSONWriter) { json.value(self) }
}

extension Int: JSONReadable, JSONWritable {
    /// Reads a whole number up to 2⁵³, beyond which JSON numbers are not exact.
    public init(_ node: JSONNode) throws(DocumentProblem) { self = try node.integer() }

    /// Appends the number.
    @inlinable
    public func write(into json: inout JSONWriter) { json.value(Int64(self)) }
}

extension Double: JSONReadable {
    /// Reads a number.
    public init(_ node: JSONNode) throws(DocumentProblem) { self = try node.double() }
}

extension String: JSONReadable, JSONWritable {
    /// Reads a string.
    public init(_ node: JSONNode) throws(DocumentProblem) { self = try node.text() }

    /// Appends a string.
    @inlinable
    public func write(into json: inout JSONWriter) { json.value(self) }
}

extension Array: JSONReadable where Element: JSONReadable {
    /// Reads an array.
    public init(_ node: JSONNode) throws(DocumentProblem) {
        let elements = try node.array()
        self = []
        reserveCapacity(node.count)
        for element in elements { append(try Element(element)) }
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    /// Appends an array.
    @inlinable
    public func write(into json: inout JSONWriter) {
        json.beginArray()
        for element in self { element.write(into: &json) }
        json.endArray()
    }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
    /// Reads an object.
    public init(_ node: JSONNode) throws(DocumentProblem) {
        let members = try node.object()
        self = [:]
        for (name, value) in members { self[try String(name)] = try Value(value) }
    }
}

/// Written in the order of the keys, so that equal values have equal bytes.
extension Dictionary: JSONWritable where Key == String, Value: JSONWritable {
    /// Appends an object.
    public func write(into json: inout JSONWriter) {
        json.beginObject()
        for (key, value) in sorted(by: { $0.key < $1.key }) {
            json.key(text: key)
            value.write(into: &json)
        }
        json.endObject()
    }
}
