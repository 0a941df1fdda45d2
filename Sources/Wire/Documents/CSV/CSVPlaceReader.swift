import JSON
import Scene

/// Reader of places from the rows of a table. The first row names the columns.
///
/// The columns for latitude and longitude, in degrees, are required. A column with an unknown name becomes a tag. The
/// decimal point may be a comma, unless commas separate the columns.
struct CSVPlaceReader: PlaceStream {
    private var records: CSVRecords
    private var columns: CSVPlaceColumns?
    private var hasEnded = false

    init(source: @escaping JSONReader.Refill) { records = CSVRecords(source: source) }

    var offset: UInt64 { records.offset }

    /// Reading can continue after a refused row, but not if the header is unusable.
    var canGoOn: Bool { columns != nil && !records.isBroken }

    mutating func next() throws(DocumentProblem) -> Place? {
        guard !hasEnded else { return nil }
        do throws(DocumentProblem) {
            if columns == nil { columns = try readHeader() }
            if let columns, let record = try records.next() { return try columns.place(record) }
            hasEnded = true
            return nil
        } catch {
            hasEnded = !canGoOn
            throw error
        }
    }

    private mutating func readHeader() throws(DocumentProblem) -> CSVPlaceColumns {
        var header = try nextHeader()
        if let separator = Self.declaredSeparator(header.bytes) {
            records.separator = separator
            header = try nextHeader()
        }
        var names: [String] = []
        var problem: DocumentProblem?
        for separator in records.separator.map({ [$0] }) ?? CSVRecords.separators {
            var cells: [String] = []
            do throws(DocumentProblem) {
                cells = try CSVRecords.cells(of: header.bytes, separator: separator, line: header.line)
            } catch {
                // Other separators are still tried, because the quotes may then be valid.
                problem = problem ?? error
            }
            if let columns = CSVPlaceColumns(cells, decimalComma: separator != UInt8(ascii: ",")) {
                records.separator = separator
                return columns
            }
            if cells.count > names.count { names = cells }
        }
        if let problem { throw problem }
        let found = names.prefix(8).map(PlaceDraft.quoted).joined(separator: ", ")
        throw CSVRecords.problem(
            header.line, nil,
            "neither GeoJSON nor GPX, and as a table (CSV) it lacks the columns lat and lon: its first row is \(found)")
    }

    /// First line that is not empty, without a byte order mark.
    private mutating func nextHeader() throws(DocumentProblem) -> (bytes: [UInt8], line: Int) {
        while let (text, line) = try records.nextText() {
            var bytes = text
            if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
            if bytes.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) { return (bytes, line) }
        }
        throw CSVRecords.problem(1, nil, "the table has no row with the names of its columns")
    }

    /// Separator that a line such as `sep=;` declares, as spreadsheets write it above a table; nil for any other line.
    private static func declaredSeparator(_ bytes: [UInt8]) -> UInt8? {
        guard bytes.count == 5, bytes.starts(with: Array("sep=".utf8)) else { return nil }
        return CSVRecords.separators.contains(bytes[4]) ? bytes[4] : nil
    }
}

/// Meanings of the columns of a table of places.
struct CSVPlaceColumns {
    private enum Meaning {
        case latitude, longitude, name, kind, seaLevelHeight, height, heightKind, heightMetres, identifier, favorite
        case tag
    }

    /// Known column names, in lower case. If several columns have the same meaning, the first of them is used.
    private static let meanings: [String: Meaning] = [
        "lat": .latitude, "latitude": .latitude, "lon": .longitude, "lng": .longitude, "long": .longitude,
        "longitude": .longitude, "name": .name, "title": .name, "kind": .kind, "category": .kind, "type": .kind,
        "ele": .seaLevelHeight, "elevation": .seaLevelHeight, "alt": .seaLevelHeight, "altitude": .seaLevelHeight,
        "height": .height, "heightkind": .heightKind, "heightmetres": .heightMetres, "id": .identifier,
        "@id": .identifier, "favorite": .favorite,
    ]

    private let names: [String]
    private let meanings: [Meaning]
    private let decimalComma: Bool

    /// Finds the meanings of the columns; nil unless there are columns for both latitude and longitude.
    init?(_ names: [String], decimalComma: Bool) {
        self.names = names
        self.decimalComma = decimalComma
        var meanings: [Meaning] = []
        for name in names {
            let meaning = Self.meanings[name.lowercased()] ?? .tag
            meanings.append(meanings.contains(meaning) ? .tag : meaning)
        }
        self.meanings = meanings
        guard meanings.contains(.latitude), meanings.contains(.longitude) else { return nil }
    }

    func place(_ record: CSVRecords.Record) throws(DocumentProblem) -> Place {
        guard record.cells.count == names.count else {
            throw CSVRecords.problem(
                record.line, nil, "\(record.cells.count) cells where the first row names \(names.count) columns")
        }
        var draft = PlaceDraft()
        var (heightKind, height): (PlaceProperty.HeightKind?, Double?)
        for (index, cell) in record.cells.enumerated() {
            switch meanings[index] {
            case .latitude: draft.latitude = try number(record, index, "degrees", within: 90)
            case .longitude: draft.longitude = try number(record, index, "degrees", within: 360)
            case _ where cell.isEmpty: continue
            case .name: draft.name = cell
            case .kind: take(kind: cell, names[index], &draft)
            case .seaLevelHeight: draft.setSeaLevelHeight(try metres(record, index))
            case .height: (heightKind, height) = (heightKind ?? .ellipsoid, try metres(record, index))
            case .heightMetres: height = try metres(record, index)
            case .heightKind: heightKind = try kindOfHeight(record, index)
            case .identifier: draft.identifier = cell
            case .favorite: draft.isFavorite = ["true", "yes", "1"].contains(cell.lowercased())
            case .tag: draft.tag(names[index], cell)
            }
        }
        if let height, heightKind != .ellipsoid || height != 0 {
            draft.height = (heightKind ?? .ellipsoid).height(height)
        }
        return try draft.place(at: "line \(record.line)")
    }

    /// Sets the kind. If the column is not named `kind`, its value is also kept as a tag, as in GeoJSON.
    private func take(kind: String, _ name: String, _ draft: inout PlaceDraft) {
        draft.kind = kind
        if name.lowercased() != "kind" { draft.tag(name, kind) }
    }

    private func metres(_ record: CSVRecords.Record, _ index: Int) throws(DocumentProblem) -> Double {
        try number(record, index, "metres", within: GeoJSONPosition.maximumHeight)
    }

    private func kindOfHeight(
        _ record: CSVRecords.Record, _ index: Int
    ) throws(DocumentProblem) -> PlaceProperty.HeightKind {
        guard let kind = PlaceProperty.HeightKind(rawValue: record.cells[index]) else {
            throw CSVRecords.problem(record.line, index + 1, PlaceProperty.HeightKind.unknown)
        }
        return kind
    }

    private func number(
        _ record: CSVRecords.Record, _ index: Int, _ unit: String, within maximum: Double
    ) throws(DocumentProblem) -> Double {
        let cell = record.cells[index]
        guard let value = PlaceDraft.number(cell, decimalComma: decimalComma), value.magnitude <= maximum else {
            let name = PlainText.line(names[index], maximumLength: 40) ?? ""
            let found = cell.isEmpty ? "it is empty" : "not \(PlaceDraft.quoted(cell))"
            throw CSVRecords.problem(
                record.line, index + 1, "\(name) has to be a number of \(unit) within ±\(Int(maximum)); \(found)")
        }
        return value
    }
}
