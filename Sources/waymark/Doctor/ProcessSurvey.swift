import Diagnosis

/// What runs on the computer: daemons, and programs that have a sensor open.
struct ProcessSurvey {
    let host: Host

    struct Process {
        let number: String
        let name: String
    }

    /// More than a board runs.
    private static let most = 32_768
    private static let mostDescriptors = 4096

    /// All that /proc shows to this user.
    var processes: [Process] {
        host.names("/proc").filter { $0.allSatisfy(\.isNumber) }.prefix(Self.most).compactMap { number in
            host.text("/proc/\(number)/comm", atMost: 64).map { Process(number: number, name: $0) }
        }
    }

    /// The daemon's user and groups; nil where none runs.
    func account(of process: Process) -> AccountFacts? {
        guard let status = host.text("/proc/\(process.number)/status", atMost: 16_384) else { return nil }
        func numbers(_ key: String) -> [UInt32] {
            let line = status.split(separator: "\n").first { $0.hasPrefix(key + ":") }
            return line?.dropFirst(key.count + 1).split(whereSeparator: \.isWhitespace).compactMap { UInt32($0) } ?? []
        }
        // Real, effective, saved, of file systems.
        guard let users = Optional(numbers("Uid")), users.count == 4, numbers("Gid").count == 4 else { return nil }
        return AccountFacts(
            name: AccountSurvey.name(ofUser: users[1]) ?? "user \(users[1])", user: users[1],
            groups: [numbers("Gid")[1]] + numbers("Groups"))
    }

    /// Programs other than the daemon that have the devices open, by identifier; what is not shown to this user is not known.
    func holders(of identifiers: [String], among processes: [Process]) -> [String: [String]] {
        var holders: [String: [String]] = [:]
        for process in processes where process.name != "waymarkd" {
            let folder = "/proc/\(process.number)/fd"
            let open = Set(host.names(folder).prefix(Self.mostDescriptors).compactMap { host.link("\(folder)/\($0)") })
            for identifier in identifiers where open.contains("/dev/\(identifier)") {
                holders[identifier, default: []].append("\(process.name) (\(process.number))")
            }
        }
        return holders
    }
}
