import Linux
import Model

/// Checks of settings beyond their type. Each returns the problem, or nil if the value is valid.
enum SettingChecks {
    /// Length limit of a socket's path in bytes, without the terminating zero.
    static let socketPathLimit = 107

    /// Requires an absolute path without `..`.
    @Sendable static func path(_ text: String) -> String? {
        guard text.hasPrefix("/") else { return "must be an absolute path" }
        guard text.utf8.count <= 4095 else { return "is longer than the maximum of 4095 bytes" }
        return text.split(separator: "/").contains("..") ? "must not contain \"..\"" : nil
    }

    /// Requires an absolute path that fits into a socket address.
    @Sendable static func socketPath(_ text: String) -> String? {
        if let problem = path(text) { return problem }
        guard text.utf8.count <= socketPathLimit else {
            return "is longer than the maximum of a socket path (\(socketPathLimit) bytes)"
        }
        return text.hasSuffix("/") ? "must name a file, not a directory" : nil
    }

    /// Requires an absolute path that fits into a socket address, or an empty text.
    @Sendable static func optionalSocketPath(_ text: String) -> String? { text.isEmpty ? nil : socketPath(text) }

    /// Requires an absolute path or an empty text.
    @Sendable static func optionalPath(_ text: String) -> String? { text.isEmpty ? nil : path(text) }

    /// Requires the name of a user or group, or an empty text.
    @Sendable static func account(_ text: String) -> String? {
        guard text.utf8.count <= 32 else { return "is longer than the maximum of 32 bytes" }
        let isValid = text.utf8.allSatisfy { $0.isLetterOrDigit || "_-.$".utf8.contains($0) }
        return isValid && !text.hasPrefix("-") ? nil : "is not a valid account name"
    }

    /// Requires the name of a source of measurements, or an empty text.
    @Sendable static func sourceName(_ text: String) -> String? {
        guard !text.isEmpty, SourceName(text) == nil else { return nil }
        return "must have 1 to \(SourceName.maximumLength) of the characters a-z, 0-9, -, _ and ., the first a letter"
    }

    /// Requires the name of an IIO device, or an empty text.
    @Sendable static func deviceName(_ text: String) -> String? {
        text.utf8.count <= 128 ? nil : "is longer than the maximum of 128 bytes"
    }

    /// Requires a host name or address.
    @Sendable static func host(_ text: String) -> String? {
        guard !text.isEmpty else { return "must not be empty" }
        guard text.utf8.count <= 253 else { return "is longer than the maximum of 253 bytes" }
        return text.contains(" ") || text.contains("/") ? "is not a host name or address" : nil
    }

    /// Requires the URI of a libiio context.
    @Sendable static func iioContext(_ text: String) -> String? {
        guard text.utf8.count <= 512 else { return "is too long (512 bytes)" }
        let isContext = ["local:", "ip:", "usb:", "serial:", "xml:"].contains(where: text.hasPrefix)
        return isContext ? nil : "must begin with local:, ip:, usb:, serial: or xml:"
    }

    /// Returns the problem that a parser reports; nil if it accepts the text.
    private static func problem(_ parse: @autoclosure () throws -> Any) -> String? {
        do {
            _ = try parse()
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// Requires a numeric address with a port, or an empty text.
    @Sendable static func address(_ text: String) -> String? {
        text.isEmpty ? nil : problem(try NetworkAddress(text))
    }

    /// Requires a numeric address with a port.
    @Sendable static func givenAddress(_ text: String) -> String? {
        text.isEmpty ? "must be ADDRESS:PORT, such as 127.0.0.1:8765" : address(text)
    }

    /// Requires an address, which may follow `udp:`, or an empty text.
    @Sendable static func mavlinkAddress(_ text: String) -> String? {
        address(Configuration.Bridge.withoutProtocol(text))
    }

    /// Requires a routing service or an empty text.
    @Sendable static func routingService(_ text: String) -> String? {
        text.isEmpty ? nil : problem(try RoutingService(text))
    }

    /// Requires addresses of brokers, or an empty text.
    @Sendable static func brokers(_ text: String) -> String? { problem(try BrokerAddress.list(text)) }

    /// Requires a list of private areas, or an empty text.
    @Sendable static func privateAreas(_ text: String) -> String? { problem(try PrivateArea.list(text)) }

    /// Requires the name of a profile, which is used unescaped in the path of a URL or in a document.
    @Sendable static func routingProfile(_ text: String) -> String? {
        RoutingService.isProfile(text) ? nil : "must be 1 to 40 letters, digits, hyphens and underscores"
    }

    /// Requires the identifier of a wearer, or an empty text.
    @Sendable static func optionalIdentifier(_ text: String) -> String? {
        text.isEmpty || FleetTopics.isIdentifier(text)
            ? nil : "must be 1 to 64 letters, digits, hyphens and underscores"
    }

    /// Requires a text that can be the first part of topics.
    @Sendable static func topicRoot(_ text: String) -> String? {
        FleetTopics.isRoot(text) ? nil : "must be names of letters, digits, - and _, with / between"
    }

    /// Requires a talker of NMEA 0183.
    @Sendable static func talker(_ text: String) -> String? {
        let isTalker =
            text.utf8.count == 2 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        return isTalker ? nil : "must be two letters A to Z, such as \"GP\""
    }

    /// Requires words of printable ASCII, separated by spaces.
    @Sendable static func words(_ text: String) -> String? {
        text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? nil : "must be printable ASCII"
    }

    /// Requires origins of web pages, separated by spaces.
    @Sendable static func origins(_ text: String) -> String? {
        if let problem = words(text) { return problem }
        let isOrigin = text.split(separator: " ").allSatisfy { origin in
            ["http://", "https://"].contains { origin.hasPrefix($0) && !origin.dropFirst($0.count).contains("/") }
        }
        return isOrigin ? nil : "each must be http:// or https:// and a host, without a path"
    }

    /// Requires three coordinates in metres, each at most 10 in magnitude.
    @Sendable static func leverArm(_ numbers: [Double]) -> String? {
        guard numbers.count == 3 else { return "must have 3 numbers (x, y, z), not \(numbers.count)" }
        return numbers.allSatisfy { $0.magnitude <= 10 } ? nil : "has a number out of range: -10 to 10"
    }

    /// Requires distances of repeated announcements in metres, in decreasing order.
    @Sendable static func fallingDistances(_ numbers: [Double]) -> String? {
        guard (1...8).contains(numbers.count) else { return "must have 1 to 8 numbers, not \(numbers.count)" }
        guard numbers.allSatisfy((1...10_000).contains) else { return "has a number out of range: 1 to 10000" }
        return zip(numbers, numbers.dropFirst()).allSatisfy(>) ? nil : "must be in descending order"
    }

    /// Requires an empty array or a rotation matrix, with columns orthonormal to within 1e-3 and determinant 1.
    @Sendable static func mountMatrix(_ numbers: [Double]) -> String? {
        if numbers.isEmpty { return nil }
        guard numbers.count == 9 else { return "must have 9 numbers, row by row, not \(numbers.count)" }
        guard numbers.allSatisfy({ $0.magnitude <= 1.01 }) else { return "is not a rotation: a number is beyond 1" }
        for a in 0..<3 {
            for b in a..<3 {
                var product = 0.0
                for row in stride(from: 0, to: 9, by: 3) { product += numbers[row + a] * numbers[row + b] }
                guard (product - (a == b ? 1 : 0)).magnitude <= 1e-3 else {
                    return "is not a rotation: its columns are not orthonormal to 1e-3"
                }
            }
        }
        return determinant(numbers) > 0 ? nil : "is a mirror image, not a rotation: its determinant is -1"
    }

    private static func determinant(_ m: [Double]) -> Double {
        let first = m[0] * (m[4] * m[8] - m[5] * m[7])
        let second = m[1] * (m[3] * m[8] - m[5] * m[6])
        let third = m[2] * (m[3] * m[7] - m[4] * m[6])
        return first - second + third
    }
}

/// Constraint on the order of two numeric settings: `lesser` must be less than `greater`, or may be equal to it if
/// `mayBeEqual` is set.
struct SettingOrder: Sendable {
    let lesser: Setting
    let greater: Setting
    let mayBeEqual: Bool

    /// All constraints. Two settings may each be in range and yet contradict each other.
    static let all: [SettingOrder] = [
        SettingOrder("pose.default_rate_hz", below: "pose.max_rate_hz", orEqual: true),
        SettingOrder("route.arrow_spacing_m", below: "route.window_m", orEqual: true),
        SettingOrder("route.node_spacing_m", below: "route.window_m", orEqual: true),
        SettingOrder("places.least_radius_m", below: "places.radius_m", orEqual: true),
        SettingOrder("places.radius_m", below: "places.most_radius_m", orEqual: true),
        SettingOrder("places.near_m", below: "places.middle_m"),
        SettingOrder("places.proximity_leave", below: "places.proximity_enter"),
        SettingOrder("places.most_shown", below: "placements.most_placements", orEqual: true),
        SettingOrder("placements.size_near_m", below: "placements.size_far_m"),
        SettingOrder("placements.behind_enter_degrees", below: "placements.behind_leave_degrees"),
        SettingOrder("anchors.most_per_client", below: "anchors.most", orEqual: true),
        SettingOrder("labels.height_degrees", below: "labels.slot_degrees", orEqual: true),
    ]

    private init(_ lesser: String, below greater: String, orEqual mayBeEqual: Bool = false) {
        self.lesser = Self.setting(lesser)
        self.greater = Self.setting(greater)
        self.mayBeEqual = mayBeEqual
    }

    private static func setting(_ path: String) -> Setting {
        guard let setting = Setting.all.first(where: { $0.path == path }) else {
            preconditionFailure("\(path) is no setting")
        }
        return setting
    }

    /// Returns the problem if a configuration violates the constraint; otherwise nil.
    func problem(in configuration: Configuration) -> String? {
        guard let less = lesser.number(configuration), let more = greater.number(configuration) else { return nil }
        guard mayBeEqual ? less > more : less >= more else { return nil }
        let demand = mayBeEqual ? "must not be greater than" : "must be less than"
        return "\(lesser.path): \(demand) \(greater.path), which is \(greater.written(configuration))"
    }
}

extension UInt8 {
    /// Whether the byte is an ASCII letter or digit.
    var isLetterOrDigit: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
    }
}
