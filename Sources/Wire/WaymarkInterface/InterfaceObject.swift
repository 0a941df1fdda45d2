import JSON

/// An object of an interface, whose members are declared by generated code.
protocol InterfaceObject: JSONReadable, JSONWritable, MemberValue {
    /// The members' names, and the function that reads the object.
    static var members: Members<Self> { get }
    /// Appends the members of a JSON object.
    func write(members json: inout JSONWriter)
}

extension InterfaceObject {
    /// Reads a JSON object.
    ///
    /// - Throws: a problem with the path of a member that is missing or of another type.
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

/// An object whose members are numbers. The object that contains it may determine how they are written.
protocol FormedObject: InterfaceObject {
    func write(members json: inout JSONWriter, _ form: NumberForm)
}

extension JSONWriter {
    /// Writes a member whose value is an object, and its numbers in the given form; writes nothing if the value is nil.
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
