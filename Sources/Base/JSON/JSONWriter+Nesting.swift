/// Objects and arrays that are written by a closure, so that each ends where it was begun.
extension JSONWriter {
    /// Writes an object, as a value of its own or as the next element.
    public mutating func object(_ members: (inout JSONWriter) -> Void) {
        beginObject()
        members(&self)
        endObject()
    }

    /// Writes a member that is an object.
    public mutating func object(_ name: StaticString, _ members: (inout JSONWriter) -> Void) {
        key(name)
        object(members)
    }

    /// Writes an array, as a value of its own or as the next element.
    public mutating func array<Element>(
        _ elements: some Sequence<Element>, _ write: (Element, inout JSONWriter) -> Void
    ) {
        beginArray()
        for element in elements { write(element, &self) }
        endArray()
    }

    /// Writes a member that is an array.
    public mutating func array<Element>(
        _ name: StaticString, _ elements: some Sequence<Element>, _ write: (Element, inout JSONWriter) -> Void
    ) {
        key(name)
        array(elements, write)
    }
}
