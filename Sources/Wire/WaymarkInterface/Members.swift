import JSON

/// Names of an object's members, and a function that reads the object from them.
struct Members<Object>: Sendable {
    let names: [StaticString]
    let read: @Sendable (JSONNode) throws(DocumentProblem) -> Object

    /// This initializer is not specialised for each type. Hundreds of types use it, each of them rarely, so one generic
    /// version makes the program smaller.
    ///
    /// - Parameters:
    ///   - make: the object's initializer, which has a parameter for each member.
    ///   - names: the names of the members, in the order of these parameters.
    @inline(never)
    @_semantics("optimize.sil.specialize.generic.never")
    init<each Member: MemberValue>(
        _ make: @escaping @Sendable (repeat each Member) -> Object, _ names: [StaticString]
    ) {
        self.names = names
        read = { node throws(DocumentProblem) in
            var members = MemberReader(names: names, of: node)
            return make(repeat try (each Member)(&members))
        }
    }
}

/// Reads the members of a JSON object one after the other, in the order of their names.
struct MemberReader {
    private let names: [StaticString]
    private let node: JSONNode
    private var index = 0
    private var rest: JSONNode.Members

    init(names: [StaticString], of node: JSONNode) { (self.names, self.node, rest) = (names, node, node.members) }

    /// Value of the next member; nil if it is missing or null.
    mutating func optional() -> JSONNode? {
        let name = names[index]
        index += 1
        // Members usually come in the order of the names. In that case the next one has this name, and no search is
        // needed.
        var following = rest
        guard let (key, value) = following.next(), key.equals(name) else { return node[name] }
        rest = following
        return value.isNull ? nil : value
    }

    /// Value of the next member; throws a problem if it is missing or null.
    mutating func required() throws(DocumentProblem) -> JSONNode {
        guard let value = optional() else { throw node.missing(names[index - 1]) }
        return value
    }
}

/// A value that can be read as a member of an object. If the value is optional, the member may be missing.
protocol MemberValue: SendableMetatype {
    init(_ members: inout MemberReader) throws(DocumentProblem)
}

extension MemberValue where Self: JSONReadable {
    init(_ members: inout MemberReader) throws(DocumentProblem) { self = try Self(members.required()) }
}

extension Optional: MemberValue where Wrapped: JSONReadable {
    init(_ members: inout MemberReader) throws(DocumentProblem) {
        if let value = members.optional() { self = try Wrapped(value) } else { self = nil }
    }
}

extension Bool: MemberValue {}
extension Int: MemberValue {}
extension Double: MemberValue {}
extension String: MemberValue {}
extension UTCTime: MemberValue {}
extension OpenWord: MemberValue {}
extension WordSet: MemberValue {}
extension Array: MemberValue where Element: JSONReadable {}
extension Dictionary: MemberValue where Key == String, Value: JSONReadable {}
