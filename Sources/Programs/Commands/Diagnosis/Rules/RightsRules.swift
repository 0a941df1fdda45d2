/// Rights to make changes, and rights that go beyond those that the units and udev rules give.
enum RightsRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        group(facts) + aidGroup(facts) + openSensors(facts)
    }

    // MARK: changes

    /// Group of the default settings, which sysusers.d creates.
    private static let defaultGroup = "waymark-change"

    private static func group(_ facts: BoardFacts) -> [Finding] {
        guard let changes = facts.changes, !changes.group.isEmpty, !changes.exists else { return [] }
        return [
            .warning(
                .accessNoChangeGroup, "service.change_group", "group \(changes.group) does not exist",
                meaning: "only root may record, calibrate, or change routes and places", remedy: creation(changes.group)
            )
        ]
    }

    /// Group whose members may offer measurements, which sysusers.d creates too.
    private static let aidGroup = "waymark-aid"

    /// A group that an upgrade without sysusers.d left out: where there are none of the package's, nothing is missing.
    private static func aidGroup(_ facts: BoardFacts) -> [Finding] {
        guard let changes = facts.changes, changes.group == defaultGroup, changes.exists, !changes.aidGroupExists else {
            return []
        }
        return [
            .warning(
                .accessNoAidGroup, aidGroup, "group \(aidGroup) does not exist",
                meaning: "only root may offer measurements, such as a camera's odometry", remedy: creation(defaultGroup)
            )
        ]
    }

    private static func creation(_ group: String) -> String {
        let create = group == defaultGroup ? "sudo systemd-sysusers" : "sudo groupadd --system \(group.shellQuoted)"
        return create + " && sudo systemctl reload waymarkd"
    }

    /// Why the caller may not make changes, and the command by which it may; nil if no group may make changes.
    static func refusal(_ changes: ChangeFacts) -> (reason: String, remedy: String)? {
        guard !changes.group.isEmpty else { return nil }
        return refusal("changes require", changes.group, exists: changes.exists, isMember: changes.isMember)
    }

    /// Why the caller may not offer measurements, and the command by which it may.
    static func refusal(ofAiding exists: Bool, isMember: Bool) -> (reason: String, remedy: String) {
        refusal("offering measurements requires", aidGroup, exists: exists, isMember: isMember)
    }

    private static func refusal(
        _ what: String, _ group: String, exists: Bool, isMember: Bool
    ) -> (reason: String, remedy: String) {
        if !exists {
            let create = group == aidGroup ? creation(defaultGroup) : creation(group)
            return ("\(what) group \(group), which does not exist", create)
        }
        if isMember {
            return ("you were added to group \(group) after this login session started", "newgrp \(group.shellQuoted)")
        }
        return ("\(what) group \(group)", Remedy.join(group))
    }

    // MARK: sensors

    private static func openSensors(_ facts: BoardFacts) -> [Finding] {
        // The rights of a service's user are known; those of a daemon that a person starts are that person's business.
        guard facts.devices?.isLocal ?? false, let account = facts.account, account.isService else { return [] }
        return (facts.devices?.sensors ?? []).compactMap { openSensor($0, account) }
    }

    private static func openSensor(_ sensor: SensorFacts, _ account: AccountFacts) -> Finding? {
        if let node = sensor.node, let others = node.permission?.others(than: account, with: 6) {
            return open(node.path, "\(others) can open the device node of \(sensor.name)")
        }
        // Their content is public in any case.
        let files = sensor.attributes.filter { $0.permission.others(than: account, with: 2) != nil }
        guard let others = files.first?.permission.others(than: account, with: 2) else { return nil }
        return open(sensor.name, "\(others) can write \(Amount.list(files.map(\.name))) in /sys")
    }

    private static func open(_ subject: String, _ what: String) -> Finding {
        .warning(
            .accessOpen, subject, what,
            meaning: "other programs can stop the sensor or change its rate; an older udev rule may still apply",
            remedy: "grep -rsE 'iio|GROUP=' /etc/udev/rules.d /run/udev/rules.d  # remove such a rule, then: "
                + AccessRules.trigger)
    }
}

extension AccountFacts {
    /// Whether this is a user of the daemon's own: neither the caller nor root.
    var isService: Bool { !isCaller && user != nil && user != 0 }
}

/// The refusal of a change, for the command that was refused.
public enum ChangeRefusal {
    /// Why the caller may not make changes, and what to do about it, in one line.
    public static func text(_ changes: ChangeFacts) -> String {
        guard let (reason, remedy) = RightsRules.refusal(changes) else {
            return "permission denied: only root and the user in the daemon's configuration may make changes"
        }
        return "permission denied: \(reason): \(remedy)"
    }
}

/// The refusal of an offer, for the command that was refused.
public enum AidRefusal {
    /// Why the caller may not offer measurements, and what to do about it, in one line.
    ///
    /// - Parameters:
    ///   - exists: whether there is the group whose members may.
    ///   - isMember: whether this user is a member in the user database, whenever the session began.
    public static func text(exists: Bool, isMember: Bool) -> String {
        let (reason, remedy) = RightsRules.refusal(ofAiding: exists, isMember: isMember)
        return "permission denied: \(reason): \(remedy)"
    }
}
