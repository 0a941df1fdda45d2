import Glibc

/// Numbers of one thing (connections, streams, calls under way) that the clients of each user hold.
package struct UserShares {
    private var held: [UInt32: Int] = [:]
    /// Number that all users hold together.
    package private(set) var total = 0

    package init() {}

    /// Number that a user holds.
    package subscript(user: UInt32) -> Int { held[user] ?? 0 }

    package mutating func add(_ user: UInt32) {
        held[user, default: 0] += 1
        total += 1
    }

    package mutating func remove(_ user: UInt32) {
        let left = self[user] - 1
        precondition(left >= 0, "only what is held can be given back")
        held[user] = left == 0 ? nil : left
        total -= 1
    }
}

/// Number of one thing that all users together may hold, and that each of them may: no user can take all of it, and the
/// last ones are kept for those who can stop the program anyway.
package struct ShareLimit: Equatable, Sendable {
    /// What one more would exceed, with the largest permitted number.
    package enum Reached: Equatable {
        case all(Int)
        case ofUser(Int)

        package var maximum: Int {
            switch self {
            case .all(let maximum), .ofUser(let maximum): maximum
            }
        }
    }

    /// Root and the process's own user, for whom there is no share.
    package static let privilegedUsers: Set<UInt32> = [0, geteuid()]

    package let all: Int
    package let ofUser: Int
    /// The last ones, which privileged users alone can take.
    package let reserve: Int
    package let privilegedUsers: Set<UInt32>

    /// - Parameter reserve: a quarter of all at most.
    package init(
        all: Int, ofUser: Int, reserve: Int, privilegedUsers: Set<UInt32> = Self.privilegedUsers
    ) {
        self.all = all
        self.ofUser = ofUser
        self.reserve = min(reserve, all / 4)
        self.privilegedUsers = privilegedUsers
    }

    /// Three quarters for one user, and an eighth in reserve, as suits the connections of a server.
    package init(all: Int) { self.init(all: all, ofUser: all - all / 4, reserve: all / 8) }

    /// What one more of this user would exceed; nil if there is room for it.
    package func reached(by user: UInt32, _ held: UserShares) -> Reached? {
        reached(by: user, total: held.total, own: held[user])
    }

    /// The same for a value, of which equal ones count once.
    ///
    /// - Parameter used: the values that are in use, and who uses them.
    package func reached<Value: Hashable>(
        by user: UInt32, _ value: Value, used: some Sequence<(user: UInt32, value: Value)>
    ) -> Reached? {
        var (all, own): (Set<Value>, Set<Value>) = ([], [])
        for use in used {
            all.insert(use.value)
            if use.user == user { own.insert(use.value) }
        }
        guard !own.contains(value) else { return nil }
        return reached(by: user, total: all.contains(value) ? 0 : all.count, own: own.count)
    }

    /// The same where all users hold `total`, and this one `own` of them.
    package func reached(by user: UInt32, total: Int, own: Int) -> Reached? {
        let isPrivileged = privilegedUsers.contains(user)
        let open = isPrivileged ? all : all - reserve
        if !isPrivileged, own >= ofUser { return .ofUser(ofUser) }
        return total >= open ? .all(open) : nil
    }

    /// Whether what `holder` holds and does not use may be taken for another user, which makes room for one more then.
    package func yields(_ holder: UInt32, to user: UInt32, total: Int, own: Int) -> Bool {
        guard privilegedUsers.contains(user) || !privilegedUsers.contains(holder) else { return false }
        return reached(by: user, total: total - 1, own: holder == user ? own - 1 : own) == nil
    }
}

/// Places for one thing, which users take and give back.
package struct SharedPlaces {
    package var limit: ShareLimit
    package private(set) var held = UserShares()

    package init(_ limit: ShareLimit) { self.limit = limit }

    /// Takes a place, unless a limit is reached, which is returned then.
    package mutating func take(_ user: UInt32) -> ShareLimit.Reached? {
        if let reached = limit.reached(by: user, held) { return reached }
        held.add(user)
        return nil
    }

    package mutating func giveBack(_ user: UInt32) { held.remove(user) }
}
