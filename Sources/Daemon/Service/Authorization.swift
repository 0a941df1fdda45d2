import Configuration
import Glibc
import Linux
import WaymarkInterface

/// Permission to do more than read: to make changes (record, calibrate, set routes), and to offer measurements.
///
/// Root and the daemon's own user may do both, one user and one group may make changes, and another group may offer
/// measurements. Reading needs no more than the permission to connect, which the socket's mode and group decide.
/// Members of the socket's group who are in neither of the other groups can only read; members of the other groups who
/// are not in the socket's group cannot connect.
public struct Authorization: Sendable {
    private let userID: UInt32?
    private let groupID: UInt32?
    private let aidGroupID: UInt32?

    /// Permits the user `userID` and members of `groupID` to make changes, and members of `aidGroupID` to offer
    /// measurements. Nil permits no one; root and the daemon's own user may always do both.
    public init(userID: UInt32?, groupID: UInt32?, aidGroupID: UInt32?) {
        self.userID = userID
        self.groupID = groupID
        self.aidGroupID = aidGroupID
    }

    /// Whether a peer has a right, according to its kernel credentials (SO_PEERCRED, SO_PEERGROUPS).
    ///
    /// - Parameter ownUserID: the daemon's own user, who could do everything without the socket anyway.
    public func permits(
        _ right: MethodTraits.Right, userID peer: UInt32, groupIDs: [UInt32], ownUserID: UInt32
    ) -> Bool {
        if peer == 0 || peer == ownUserID { return true }
        return switch right {
        case .reading: true
        case .changing: peer == userID || groupID.map(groupIDs.contains) ?? false
        case .aiding: aidGroupID.map(groupIDs.contains) ?? false
        }
    }

    /// Creates the permissions that the settings give. A name that the system does not know permits no one, and is
    /// logged.
    init(_ section: Configuration.Service) {
        func look(up name: String, _ kind: String, _ find: (String) -> UInt32?) -> UInt32? {
            guard !name.isEmpty else { return nil }
            let found = find(name)
            if found == nil {
                Log.warning(
                    "service.change_\(kind): no \(kind) '\(name)' exists, so it permits no one to make changes; "
                        + "`systemd-sysusers` creates the system's own")
            }
            return found
        }
        self.init(
            userID: look(up: section.changeUser, "user", Accounts.user),
            groupID: look(up: section.changeGroup, "group", Accounts.group),
            // A missing group is not logged, because no setting names it, and `waymark doctor` reports it.
            aidGroupID: Accounts.group(named: Configuration.Service.aidGroup))
    }

    func permits(_ right: MethodTraits.Right, _ peer: PeerCredentials) -> Bool {
        permits(right, userID: peer.user, groupIDs: peer.groups, ownUserID: geteuid())
    }
}
