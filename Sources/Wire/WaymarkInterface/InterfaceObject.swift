import JSON

/// An object of an interface, whose members are declared by generated code.
protocol InterfaceObject: JSONReadable, JSONWritable, MemberValue {
    /// How the object is read.
    static var members: Members<Self> { get }
    /// Appends the members of a JSON object.
    func write(members json: inout JSONWriter)
}

extension InterfaceObject {
    /// Reads a JSON object.
    ///
    /// - Throws: the path of a member that is missing or of another type.
    public init(_ node: JSONNode) throws(DocumentProblem) {
        try node.require(.object)
        self = try Self.members.read(node)
    }

    /// Appends a JSON object.
    public func write(into json: inout JSONWriter) {
        json.beginObject()
        write(members: &json)
        json.endObject()
    }
}

/// An object of numbers whose form the holder may prescribe.
protocol FormedObject: InterfaceObject {
    func write(members json: inout JSONWriter, _ form: NumberForm)
}

extension JSONWriter {
    /// Writes a member with an object whose numbers have this form; left out if nil.
    mutating func member(_ name: StaticString, _ value: (some FormedObject)?, _ form: NumberForm) {
        guard let value else { return }
        key(name)
        beginObject()
        value.write(members: &self, form)
        endObject()
    }
}

/// An object without members.
protocol EmptyObject: InterfaceObject {
    init()
}

extension EmptyObject {
    static var members: Members<Self> { Members({ Self() }, []) }

    func write(members json: inout JSONWriter) {}
}

/// Parameters or a reply without members.
public struct NoMembers: Equatable, Sendable, EmptyObject {
    /// Makes the value.
    public init() {}
}
