/// Who may change things (record, and later routes, places, calibration): root, one user, one group.
///
/// Reading needs no more than the permission to connect to the socket.
public struct Authorization: Sendable {
    private let userID: UInt32?
    private let groupID: UInt32?

    public init(userID: UInt32?, groupID: UInt32?) {
        self.userID = userID
        self.groupID = groupID
    }

    /// Whether a peer may change things, by what the kernel says of it (SO_PEERCRED, SO_PEERGROUPS).
    ///
    /// - Parameter ownUserID: the daemon's own user, who can do all of it without the socket anyway.
    public func permitsChange(userID peer: UInt32, groupIDs: [UInt32], ownUserID: UInt32) -> Bool {
        if peer == 0 || peer == ownUserID || peer == userID { return true }
        guard let groupID else { return false }
        return groupIDs.contains(groupID)
    }
}
