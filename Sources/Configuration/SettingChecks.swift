/// What the settings of one kind have to obey beyond their type; nil when all is well.
enum SettingChecks {
    /// The longest path that fits into a socket's address, its terminating zero taken off.
    static let socketPathLimit = 107

    @Sendable static func path(_ text: String) -> String? {
        guard text.hasPrefix("/") else { return "must be an absolute path" }
        guard text.utf8.count <= 4095 else { return "is longer than the maximum of 4095 bytes" }
        return text.split(separator: "/").contains("..") ? "must not contain \"..\"" : nil
    }

    @Sendable static func socketPath(_ text: String) -> String? {
        if let problem = path(text) { return problem }
        guard text.utf8.count <= socketPathLimit else {
            return "is longer than the maximum of a socket path (\(socketPathLimit) bytes)"
        }
        return text.hasSuffix("/") ? "must name a file, not a directory" : nil
    }

    /// A device's path, or nothing.
    @Sendable static func optionalPath(_ text: String) -> String? { text.isEmpty ? nil : path(text) }

    /// A user, a group, or nothing.
    @Sendable static func account(_ text: String) -> String? {
        guard text.utf8.count <= 32 else { return "is longer than the maximum of 32 bytes" }
        let allowed = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
            case UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "$"): true
            default: false
            }
        }
        guard allowed, !text.hasPrefix("-") else { return "is not a valid account name" }
        return nil
    }

    /// The name of an IIO device, or nothing.
    @Sendable static func deviceName(_ text: String) -> String? {
        text.utf8.count <= 128 ? nil : "is longer than the maximum of 128 bytes"
    }

    @Sendable static func host(_ text: String) -> String? {
        guard !text.isEmpty else { return "must not be empty" }
        guard text.utf8.count <= 253 else { return "is longer than the maximum of 253 bytes" }
        return text.contains(" ") || text.contains("/") ? "is not a host name or address" : nil
    }

    @Sendable static func iioContext(_ text: String) -> String? {
        guard text.utf8.count <= 512 else { return "is too long (512 bytes)" }
        guard ["local:", "ip:", "usb:", "serial:", "xml:"].contains(where: text.hasPrefix) else {
            return "must begin with local:, ip:, usb:, serial: or xml:"
        }
        return nil
    }

    @Sendable static func leverArm(_ numbers: [Double]) -> String? {
        guard numbers.count == 3 else { return "must have 3 numbers (x, y, z), not \(numbers.count)" }
        return numbers.allSatisfy { $0.magnitude <= 10 } ? nil : "has a number out of range: -10 to 10"
    }

    /// Distances at which the same thing is told again and again, the farthest first.
    @Sendable static func fallingDistances(_ numbers: [Double]) -> String? {
        guard (1...8).contains(numbers.count) else { return "must have 1 to 8 numbers, not \(numbers.count)" }
        guard numbers.allSatisfy((1...10_000).contains) else { return "has a number out of range: 1 to 10000" }
        guard zip(numbers, numbers.dropFirst()).allSatisfy(>) else {
            return "must be in descending order"
        }
        return nil
    }

    /// Nothing, or a rotation: columns orthonormal to 1e-3 and determinant 1. Mirrored and singular ones are refused.
    @Sendable static func mountMatrix(_ numbers: [Double]) -> String? {
        if numbers.isEmpty { return nil }
        guard numbers.count == 9 else { return "must have 9 numbers, row by row, not \(numbers.count)" }
        guard numbers.allSatisfy({ $0.magnitude <= 1.01 }) else { return "is not a rotation: a number is beyond 1" }
        for a in 0..<3 {
            for b in a..<3 {
                let product = (0..<3).reduce(0.0) { $0 + numbers[3 * $1 + a] * numbers[3 * $1 + b] }
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
