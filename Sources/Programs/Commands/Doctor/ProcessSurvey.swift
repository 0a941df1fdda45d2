import Configuration
import Glibc
import Linux

/// Processes of the computer: daemons, and programs that have a sensor open.
struct ProcessSurvey {
    let host: Host

    struct Process {
        let number: String
        let name: String
    }

    /// Maximum number of processes, more than a board has.
    private static let maximumCount = 32_768
    private static let maximumDescriptorCount = 4096

    /// Processes that this user can see in /proc.
    var processes: [Process] {
        host.names("/proc").filter { $0.allSatisfy(\.isNumber) }.prefix(Self.maximumCount).compactMap { number in
            host.text("/proc/\(number)/comm", atMost: 64).map { Process(number: number, name: $0) }
        }
    }

    /// Returns the user and groups of a process; nil if they cannot be read.
    func account(of process: Process) -> AccountFacts? {
        guard let status = host.text("/proc/\(process.number)/status", atMost: 16_384) else { return nil }
        func numbers(_ key: String) -> [UInt32] {
            let line = status.split(separator: "\n").first { $0.hasPrefix(key + ":") }
            return line?.dropFirst(key.count + 1).split(whereSeparator: \.isWhitespace).compactMap { UInt32($0) } ?? []
        }
        // The lines Uid and Gid have the real, effective, saved and file system ID.
        guard let users = Optional(numbers("Uid")), users.count == 4, numbers("Gid").count == 4 else { return nil }
        return AccountFacts(
            name: AccountSurvey.name(ofUser: users[1]) ?? "user \(users[1])", user: users[1],
            groups: [numbers("Gid")[1]] + numbers("Groups"))
    }

    /// Returns the programs other than the daemon that have one of the devices open, by device identifier. Processes
    /// that this user cannot see are missing.
    func holders(of identifiers: [String], among processes: [Process]) -> [String: [String]] {
        var holders: [String: [String]] = [:]
        for process in processes where process.name != "waymarkd" {
            let folder = "/proc/\(process.number)/fd"
            let open = Set(
                host.names(folder).prefix(Self.maximumDescriptorCount).compactMap { host.link("\(folder)/\($0)") })
            for identifier in identifiers where open.contains("/dev/\(identifier)") {
                holders[identifier, default: []].append("\(process.name) (\(process.number))")
            }
        }
        return holders
    }
}

extension Permission {
    /// Makes permissions, with the names of owner and group.
    init(_ information: stat) {
        self.init(owner: information.st_uid, group: information.st_gid, mode: information.st_mode & 0o7777)
        ownerName = AccountSurvey.name(ofUser: owner)
        groupName = AccountSurvey.name(ofGroup: group)
    }
}

extension ChangeFacts {
    /// Looks up the configured group for changes, and whether the caller is a member of it.
    init(_ settings: Configuration.Service) {
        self.init(group: settings.changeGroup)
        guard !group.isEmpty else { return }
        let number = Accounts.group(named: group)
        exists = number != nil
        isMember = number.map(AccountSurvey.isRecorded) ?? false
        aidGroupExists = Accounts.group(named: Configuration.Service.aidGroup) != nil
    }
}

/// Users and groups of the daemon and of the caller.
enum AccountSurvey {
    static var caller: AccountFacts {
        AccountFacts(
            name: name(ofUser: geteuid()) ?? "user \(geteuid())", user: geteuid(), groups: [getegid()] + ownGroups,
            isCaller: true)
    }

    /// Looks up an account in the system's database.
    static func named(_ name: String) -> AccountFacts {
        guard let entry = getpwnam(name)?.pointee else { return AccountFacts(name: name, user: nil) }
        return AccountFacts(name: name, user: entry.pw_uid, groups: groups(of: name, primary: entry.pw_gid))
    }

    static func name(ofUser user: UInt32) -> String? { getpwuid(user).map { String(cString: $0.pointee.pw_name) } }

    static func name(ofGroup group: UInt32) -> String? { getgrgid(group).map { String(cString: $0.pointee.gr_name) } }

    /// Whether the system's database lists the caller in a group, even if the session is older than the entry.
    static func isRecorded(in group: UInt32) -> Bool {
        guard let entry = getpwuid(geteuid())?.pointee else { return false }
        return groups(of: String(cString: entry.pw_name), primary: entry.pw_gid).contains(group)
    }

    private static let maximumGroupCount: Int32 = 1024

    private static var ownGroups: [UInt32] {
        var groups = [gid_t](repeating: 0, count: Int(maximumGroupCount))
        let count = getgroups(maximumGroupCount, &groups)
        return Array(groups.prefix(max(0, Int(count))))
    }

    private static func groups(of user: String, primary: UInt32) -> [UInt32] {
        var groups = [gid_t](repeating: 0, count: Int(maximumGroupCount))
        var count = maximumGroupCount
        guard getgrouplist(user, primary, &groups, &count) >= 0 else { return [primary] }
        return Array(groups.prefix(max(0, Int(count))))
    }
}
