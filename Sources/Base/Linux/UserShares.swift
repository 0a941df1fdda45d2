import Glibc

/// Number of units of a resource (connections, streams, calls under way) that the clients of each user hold.
package struct UserShares {
    private var held: [UInt32: Int] = [:]
    package private(set) var total = 0

    package init() {}

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

/// Limits of a resource, for all users together and for each user. No user can take all of the resource. The last units
/// are reserved for users who can stop the program anyway.
package struct ShareLimit: Equatable, Sendable {
    /// The limit that one more unit would exceed, with its value.
    package enum Reached: Equatable {
        case all(Int)
        case ofUser(Int)

        package var maximum: Int {
            switch self {
            case .all(let maximum), .ofUser(let maximum): maximum
            }
        }
    }

    /// Root and the process's own user, for whom there is no limit per user.
    package static let privilegedUsers: Set<UInt32> = [0, geteuid()]

    package let all: Int
    package let ofUser: Int
    /// Number of units at the end that only privileged users can take.
    package let reserve: Int
    package let privilegedUsers: Set<UInt32>

    /// - Parameter reserve: at most a quarter of `all`.
    package init(
        all: Int, ofUser: Int, reserve: Int, privilegedUsers: Set<UInt32> = Self.privilegedUsers
    ) {
        self.all = all
        self.ofUser = ofUser
        self.reserve = min(reserve, all / 4)
        self.privilegedUsers = privilegedUsers
    }

    /// Grants three quarters to one user and reserves an eighth. This suits the connections of a server.
    package init(all: Int) { self.init(all: all, ofUser: all - all / 4, reserve: all / 8) }

    /// The limit that one more unit for this user would exceed; nil if the user may take the unit.
    package func reached(by user: UInt32, _ held: UserShares) -> Reached? {
        reached(by: user, total: held.total, own: held[user])
    }

    /// Like `reached(by:_:)`, for a resource whose units are values. Equal values count once.
    ///
    /// - Parameter used: values in use, with their users.
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

    /// Like `reached(by:_:)`, if all users together hold `total` units and this user holds `own`.
    package func reached(by user: UInt32, total: Int, own: Int) -> Reached? {
        let isPrivileged = privilegedUsers.contains(user)
        let open = isPrivileged ? all : all - reserve
        if !isPrivileged, own >= ofUser { return .ofUser(ofUser) }
        return total >= open ? .all(open) : nil
    }

    /// Whether an unused unit of `holder` may be taken to make room for `user`.
    package func yields(_ holder: UInt32, to user: UInt32, total: Int, own: Int) -> Bool {
        guard privilegedUsers.contains(user) || !privilegedUsers.contains(holder) else { return false }
        return reached(by: user, total: total - 1, own: holder == user ? own - 1 : own) == nil
    }
}

/// Places of a resource, which users take and return.
package struct SharedPlaces {
    package var limit: ShareLimit
    package private(set) var held = UserShares()

    package init(_ limit: ShareLimit) { self.limit = limit }

    /// Takes a place. If the place would exceed a limit, takes none and returns that limit.
    package mutating func take(_ user: UInt32) -> ShareLimit.Reached? {
        if let reached = limit.reached(by: user, held) { return reached }
        held.add(user)
        return nil
    }

    package mutating func giveBack(_ user: UInt32) { held.remove(user) }
}
