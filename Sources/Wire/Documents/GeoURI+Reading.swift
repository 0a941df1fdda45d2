import JSON

/// Reason why a text is not a `geo:` URI on WGS84.
public enum GeoURIProblem: Error, Hashable, Sendable, CustomStringConvertible {
    case tooLong
    case notGeo
    /// The quoted text should be a number.
    case notANumber(String)
    case coordinateCount(Int)
    case notOnEarth
    /// The reference system is not WGS84.
    case referenceSystem(String)
    case uncertainty(String)
    /// A parameter breaks the grammar, occurs twice or is in the wrong place.
    case parameter(String)

    /// Problem in words, with the offending part quoted.
    public var description: String {
        switch self {
        case .tooLong: "a geo: URI of more than \(GeoURI.maximumLength) bytes"
        case .notGeo: "it does not begin with 'geo:'"
        case .notANumber(let text): "'\(text)' is not a decimal number"
        case .coordinateCount(let count): "\(count) coordinates instead of latitude, longitude and perhaps a height"
        case .notOnEarth: "the latitude is beyond ±90°, the longitude beyond ±180° or the height beyond ±100 km"
        case .referenceSystem(let name): "the reference system '\(name)' is not known, only 'wgs84'"
        case .uncertainty(let text): "the uncertainty 'u=\(text)' is not a number of metres from 0 to 21000000"
        case .parameter(let text): "the parameter '\(text)' is malformed, stands twice or in the wrong order"
        }
    }
}

extension GeoURI {
    /// Maximum length of a URI that is read. Unit: bytes.
    static let maximumLength = 1024
    /// Maximum length of a number. Unit: bytes.
    private static let maximumNumberLength = 40

    /// Reads a URI as strictly as RFC 5870 demands: `crs` comes before `u`, and both before all other parameters, which
    /// are ignored.
    public init(parsing text: String) throws(GeoURIProblem) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumLength else { throw .tooLong }
        guard bytes.count >= 4, Self.word(bytes[..<4]) == "geo:" else { throw .notGeo }
        var parts = bytes[4...].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)[...]
        let coordinates = parts.removeFirst().split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard (2...3).contains(coordinates.count) else { throw .coordinateCount(coordinates.count) }
        var numbers: [Double] = []
        for coordinate in coordinates { numbers.append(try Self.number(coordinate)) }
        let radius = try Self.uncertainty(among: parts)
        guard
            let uri = GeoURI(
                latitudeDegrees: numbers[0], longitudeDegrees: numbers[1],
                ellipsoidalHeight: numbers.count == 3 ? numbers[2] : nil, uncertaintyMetres: radius)
        else { throw .notOnEarth }
        self = uri
    }

    /// Checks all parameters and returns the value of `u`, if there is one.
    private static func uncertainty(among parameters: ArraySlice<ArraySlice<UInt8>>) throws(GeoURIProblem) -> Double? {
        var radius: Double?
        for (index, parameter) in parameters.enumerated() {
            let halves = parameter.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let value = halves.count == 2 ? halves[1] : nil
            guard isLabel(halves[0]), value.map(isValue) ?? true else { throw .parameter(quoted(parameter)) }
            switch word(halves[0]) {
            case "crs":
                guard index == 0, let value, isLabel(value) else { throw .parameter(quoted(parameter)) }
                guard word(value) == "wgs84" else { throw .referenceSystem(quoted(value)) }
            case "u":
                let isInOrder =
                    index == 0 || (index == 1 && word(parameters[parameters.startIndex].prefix(4)) == "crs=")
                guard isInOrder, let value else { throw .parameter(quoted(parameter)) }
                radius = try metres(value)
            default: break
            }
        }
        return radius
    }

    private static func metres(_ value: ArraySlice<UInt8>) throws(GeoURIProblem) -> Double {
        guard let number = try? number(value), value.first != UInt8(ascii: "-"), number <= maximumUncertainty else {
            throw .uncertainty(quoted(value))
        }
        return number
    }

    /// Reads a number: an optional minus, digits and, optionally, a point with further digits. A plus, an exponent, or
    /// a point without digits on both sides is an error.
    private static func number(_ text: ArraySlice<UInt8>) throws(GeoURIProblem) -> Double {
        let digits = text.first == UInt8(ascii: "-") ? text.dropFirst() : text
        let halves = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let isWellFormed =
            text.count <= maximumNumberLength && halves.count <= 2
            && halves.allSatisfy { !$0.isEmpty && $0.allSatisfy(isDigit) }
        guard isWellFormed, let number = text.withUnsafeBytes({ NumberParser.double($0) }) else {
            throw .notANumber(quoted(text))
        }
        return number
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isLabel(_ text: ArraySlice<UInt8>) -> Bool {
        !text.isEmpty && text.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
    }

    /// Whether a text consists of the standard's `paramchar`, which includes bytes escaped by `%` and two digits.
    private static func isValue(_ text: ArraySlice<UInt8>) -> Bool {
        let others = Array("-_.!~*'()[]:&+$".utf8)
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard rest.prefix(2).count == 2, rest.prefix(2).allSatisfy(isHexadecimal) else { return false }
                rest.removeFirst(2)
            } else if !isAlphanumeric(byte) && !others.contains(byte) {
                return false
            }
        }
        return !text.isEmpty
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }

    /// Name in lower case, because names are case-insensitive.
    private static func word(_ text: ArraySlice<UInt8>) -> String {
        String(decoding: text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Quotation of untrusted text, shortened and without characters that a terminal would interpret as a command.
    private static func quoted(_ text: ArraySlice<UInt8>) -> String {
        let shown = text.prefix(40).map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: shown, as: UTF8.self) + (text.count > 40 ? "…" : "")
    }
}
