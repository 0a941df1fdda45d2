/// Numbers of one thing (connections, streams, calls under way) that the clients of each user hold.
struct UserShares {
    private var held: [UInt32: Int] = [:]
    /// Number that all users hold together.
    private(set) var total = 0

    /// Number that a user holds.
    subscript(user: UInt32) -> Int { held[user] ?? 0 }

    mutating func add(_ user: UInt32) {
        held[user, default: 0] += 1
        total += 1
    }

    mutating func remove(_ user: UInt32) {
        let left = self[user] - 1
        precondition(left >= 0, "only what is held can be given back")
        held[user] = left == 0 ? nil : left
        total -= 1
    }
}

/// A limit that a client has reached: its name in the error, and the largest permitted value.
struct ReachedLimit: Equatable, CustomStringConvertible {
    let name: String
    let maximum: Int

    var description: String { "limit \(name) of \(maximum) reached" }
}

extension ServerLimits {
    /// The limit that a longer message has reached.
    var reachedMessageLength: ReachedLimit { ReachedLimit(name: "messageLength", maximum: messageLength) }

    /// The limit that one more connection of this user would exceed.
    func reachedLimit(ofClients held: UserShares, user: UInt32) -> ReachedLimit? {
        reachedLimit("clients", held, all: clients, ofUser: clientsOfUser, user)
    }

    /// The limit that one more stream of this user would exceed.
    func reachedLimit(ofStreams held: UserShares, user: UInt32) -> ReachedLimit? {
        reachedLimit("streams", held, all: streams, ofUser: streamsOfUser, user)
    }

    /// Whether this user's calls have to wait until one of those under way has its answer.
    func holdsUp(callsOf user: UInt32, _ underWay: UserShares) -> Bool {
        !privilegedUsers.contains(user) && underWay[user] >= callsOfUser
    }

    private func reachedLimit(
        _ name: String, _ held: UserShares, all: Int, ofUser: Int, _ user: UInt32
    ) -> ReachedLimit? {
        let isPrivileged = privilegedUsers.contains(user)
        let open = isPrivileged ? all : all - min(reserve, all / 4)
        if held.total >= open { return ReachedLimit(name: name, maximum: open) }
        guard !isPrivileged, held[user] >= ofUser else { return nil }
        return ReachedLimit(name: name + "OfUser", maximum: ofUser)
    }
}
