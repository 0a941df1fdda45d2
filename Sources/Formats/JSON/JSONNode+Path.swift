/// Where in its document a value stands.
extension JSONNode {
    /// As `$.routes[0].legs[1].duration`.
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

    /// As `.name`, or as `["a name"]` where that would not be read as one.
    private static func member(_ name: JSONNode) -> String {
        let longest = 80
        var text = String((name.string ?? "").prefix(longest))
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_"
        }
        guard !isPlain || text.isEmpty else { return "." + text }
        text = String(text.map { $0 == "\"" || $0 == "\\" || $0.isNewline ? "?" : $0 })
        return "[\"\(text)\"]"
    }

    /// Says what is wrong with this value.
    public func problem(_ message: String) -> DocumentProblem { DocumentProblem(path: path, message: message) }
}
