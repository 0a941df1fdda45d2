import Linux

/// A limit that a client has reached, with its name in the error and the largest permitted value.
struct ReachedLimit: Equatable, CustomStringConvertible {
    let name: String
    let maximum: Int

    var description: String { "limit \(name) of \(maximum) reached" }
}

extension ServerLimits {
    /// The limit that an overlong message exceeds.
    var reachedMessageLength: ReachedLimit { ReachedLimit(name: "messageLength", maximum: messageLength) }

    /// The limit that one more connection of this user would exceed; nil if there is room.
    func reachedLimit(ofClients held: UserShares, user: UInt32) -> ReachedLimit? {
        reachedLimit("clients", limit(all: clients, ofUser: clientsOfUser).reached(by: user, held))
    }

    /// The limit that one more stream of this user would exceed; nil if there is room.
    func reachedLimit(ofStreams held: UserShares, user: UInt32) -> ReachedLimit? {
        reachedLimit("streams", limit(all: streams, ofUser: streamsOfUser).reached(by: user, held))
    }

    /// Whether this user's calls have to wait until one of the calls under way is answered.
    func holdsUp(callsOf user: UInt32, _ underWay: UserShares) -> Bool {
        !privilegedUsers.contains(user) && underWay[user] >= callsOfUser
    }

    private func limit(all: Int, ofUser: Int) -> ShareLimit {
        ShareLimit(all: all, ofUser: ofUser, reserve: reserve, privilegedUsers: privilegedUsers)
    }

    private func reachedLimit(_ name: String, _ reached: ShareLimit.Reached?) -> ReachedLimit? {
        switch reached {
        case .all(let maximum): ReachedLimit(name: name, maximum: maximum)
        case .ofUser(let maximum): ReachedLimit(name: name + "OfUser", maximum: maximum)
        case nil: nil
        }
    }
}
