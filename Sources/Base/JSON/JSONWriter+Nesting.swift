/// Objects and arrays whose content a closure writes, so that each ends where it was begun.
extension JSONWriter {
    /// Returns the text of one object.
    package static func object(capacity: Int = 0, _ members: (inout JSONWriter) -> Void) -> [UInt8] {
        var json = JSONWriter(capacity: capacity)
        json.object(members)
        return json.bytes
    }

    /// Writes an object, as a value of its own or as the next element.
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        beginObject()
        members(&self)
        endObject()
    }

    /// Writes a member that is an object.
    package mutating func object(_ name: StaticString, _ members: (inout JSONWriter) -> Void) {
        key(name)
        object(members)
    }

    /// Writes an array, as a value of its own or as the next element.
    package mutating func array<Element>(
        _ elements: some Sequence<Element>, _ write: (Element, inout JSONWriter) -> Void
    ) {
        beginArray()
        for element in elements { write(element, &self) }
        endArray()
    }

    /// Writes a member that is an array.
    package mutating func array<Element>(
        _ name: StaticString, _ elements: some Sequence<Element>, _ write: (Element, inout JSONWriter) -> Void
    ) {
        key(name)
        array(elements, write)
    }

    /// Writes a member that is an array, with elements of any kind.
    package mutating func array(_ name: StaticString, _ elements: (inout JSONWriter) -> Void) {
        key(name)
        beginArray()
        elements(&self)
        endArray()
    }

    /// Writes a member that is an array of objects, one for each element.
    package mutating func objects<Element>(
        _ name: StaticString, _ elements: some Sequence<Element>, _ members: (Element, inout JSONWriter) -> Void
    ) {
        array(name, elements) { element, json in json.object { members(element, &$0) } }
    }
}
