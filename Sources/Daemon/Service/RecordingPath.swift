/// Path of a recording that is requested by name. It is always directly in the recording directory.
package struct RecordingPath {
    package let full: String

    /// - Parameters:
    ///   - name: relative to `directory`, or absolute and inside it; `.mcap` is appended if there is no suffix.
    ///   - directory: absolute path of the recording directory.
    package init(name: String, directory: String) throws(Refusal) {
        let root = directory.hasSuffix("/") ? directory : directory + "/"
        let relative = name.hasPrefix(root) ? String(name.dropFirst(root.count)) : name
        guard !relative.hasPrefix("/") else { throw Refusal(reason: "the path is outside \(directory)") }
        guard !relative.isEmpty, relative.utf8.count <= 200 else {
            throw Refusal(reason: "the name must have 1 to 200 bytes")
        }
        guard relative.utf8.allSatisfy({ $0 > 32 && $0 != 127 }) else {
            throw Refusal(reason: "the name must not contain spaces or control characters")
        }
        // Folders are not permitted, because they would have to be created, and `..` would lead out of the directory.
        // The name is compared by bytes, because Swift treats a slash with a combining accent as another character.
        guard !relative.utf8.contains(UInt8(ascii: "/")), relative.utf8.first != UInt8(ascii: ".") else {
            throw Refusal(reason: "the name must be that of a file directly in \(directory)")
        }
        full = root + (relative.contains(".") ? relative : relative + ".mcap")
    }

    package struct Refusal: Error, Equatable {
        package let reason: String
    }
}
