import Diagnosis
import Glibc
import Linux

/// Users and groups: the daemon's, and those of who asks.
enum AccountSurvey {
    /// Who asks.
    static var caller: AccountFacts {
        AccountFacts(
            name: name(ofUser: geteuid()) ?? "user \(geteuid())", user: geteuid(), groups: [getegid()] + ownGroups,
            isCaller: true)
    }

    /// By the system's records.
    static func named(_ name: String) -> AccountFacts {
        guard let entry = getpwnam(name)?.pointee else { return AccountFacts(name: name, user: nil) }
        return AccountFacts(name: name, user: entry.pw_uid, groups: groups(of: name, primary: entry.pw_gid))
    }

    static func name(ofUser user: UInt32) -> String? { getpwuid(user).map { String(cString: $0.pointee.pw_name) } }

    static func name(ofGroup group: UInt32) -> String? { getgrgid(group).map { String(cString: $0.pointee.gr_name) } }

    /// Whether the system's records have who asks in a group, whenever the session began.
    static func isRecorded(in group: UInt32) -> Bool {
        guard let entry = getpwuid(geteuid())?.pointee else { return false }
        return groups(of: String(cString: entry.pw_name), primary: entry.pw_gid).contains(group)
    }

    private static let mostGroups: Int32 = 1024

    private static var ownGroups: [UInt32] {
        var groups = [gid_t](repeating: 0, count: Int(mostGroups))
        let count = getgroups(mostGroups, &groups)
        return Array(groups.prefix(max(0, Int(count))))
    }

    private static func groups(of user: String, primary: UInt32) -> [UInt32] {
        var groups = [gid_t](repeating: 0, count: Int(mostGroups))
        var count = mostGroups
        guard getgrouplist(user, primary, &groups, &count) >= 0 else { return [primary] }
        return Array(groups.prefix(max(0, Int(count))))
    }
}
