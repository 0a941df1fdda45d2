import CToml

/// A parsed TOML text: its entries, in the order of the text.
struct TomlDocument {
    var entries: [Entry]

    struct Entry {
        /// Table that contains the key, such as `iio` or `iio.gyroscope`; nil at the top level.
        var section: String?
        var key: String
        var value: TomlValue
        var keyPlace: Place
        var valuePlace: Place

        /// Section and key, such as `iio.enabled`.
        var path: String { section.map { "\($0).\(key)" } ?? key }
    }

    /// Position in the text, counted from 1; nil if the parser does not report it.
    struct Place {
        var line: Int?
        var column: Int?

        init(line: UInt32, column: UInt32) {
            self.line = line == 0 ? nil : Int(line)
            self.column = column == 0 ? nil : Int(column)
        }
    }

    /// Parses a text.
    ///
    /// - Throws: the syntax error at which the parser stopped.
    init(_ text: [UInt8], file: String) throws(ConfigurationError) {
        let parsed = text.withUnsafeBytes { bytes in
            ctoml_parse(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        guard let document = parsed else {
            throw ConfigurationError(problems: [.init(file: file, text: "out of memory")])
        }
        defer { ctoml_free(document) }
        let error = ctoml_error(document)
        if error.count > 0 {
            let place = Place(line: ctoml_error_line(document), column: ctoml_error_column(document))
            let text = "not valid TOML: \(Printable.line(String(error)))"
            throw ConfigurationError(problems: [.init(file: file, line: place.line, column: place.column, text: text)])
        }
        entries = Self.entries(document).sorted { a, b in
            (a.keyPlace.line ?? 0, a.keyPlace.column ?? 0) < (b.keyPlace.line ?? 0, b.keyPlace.column ?? 0)
        }
    }

    private static func entries(_ document: OpaquePointer) -> [Entry] {
        var entries: [Entry] = []
        var index = 0
        while let entry = ctoml_entry_at(document, index)?.pointee {
            index += 1
            var value = TomlValue(entry)
            if entry.kind == CTOML_ARRAY {
                let elements = (0..<entry.elements).compactMap { ctoml_entry_at(document, index + $0)?.pointee }
                value = .array(elements.map { TomlValue($0) })
                index += entry.elements
            }
            entries.append(
                Entry(
                    section: entry.section.count == 0 ? nil : String(entry.section), key: String(entry.key),
                    value: value,
                    keyPlace: Place(line: entry.key_line, column: entry.key_column),
                    valuePlace: Place(line: entry.value_line, column: entry.value_column)))
        }
        return entries
    }
}

/// A TOML value. Nested arrays are left empty, because no setting uses them.
enum TomlValue: Hashable {
    case table
    case array([TomlValue])
    case text(String)
    case integer(Int64)
    case real(Double)
    case boolean(Bool)
    case date

    init(_ entry: ctoml_entry) {
        self =
            switch entry.kind {
            case CTOML_TABLE: .table
            case CTOML_ARRAY: .array([])
            case CTOML_TEXT: .text(String(entry.text))
            case CTOML_INTEGER: .integer(entry.integer)
            case CTOML_REAL: .real(entry.real)
            case CTOML_BOOLEAN: .boolean(entry.boolean)
            default: .date
            }
    }

    /// Type of the value with its article, for messages.
    var kind: String {
        switch self {
        case .table: "a table"
        case .array: "an array"
        case .text: "a string"
        case .integer: "a whole number"
        case .real: "a number"
        case .boolean: "a boolean"
        case .date: "a date or time"
        }
    }
}

extension String {
    /// Decodes the bytes as UTF-8, with replacement characters for invalid bytes.
    fileprivate init(_ bytes: ctoml_bytes) {
        self = String(decoding: UnsafeRawBufferPointer(start: bytes.start, count: bytes.count), as: UTF8.self)
    }
}
