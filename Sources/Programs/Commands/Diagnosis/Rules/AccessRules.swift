/// Permissions of the daemon and of the caller.
extension BoardFacts {
    /// Permissions that libiio needs: device nodes in /dev, and files in /sys that configure buffers.
    @Rules var accessRules: [Finding] {
        if let devices, devices.isLocal, let account {
            let problems = problems(of: account)
            let granted = "has access to the device nodes and buffers of all sensors"
            problems
            ok(.accessGranted, if: problems.isEmpty && !sensors.isEmpty, account.name, granted)
        }
        let skipped = "no permission to inspect \(Amount.list(skippedChecks))"
        warning(.accessLimited, if: !skippedChecks.isEmpty, "waymark doctor", skipped)
            .meaning("these checks were skipped").fix(asRoot)
    }

    @Rules private func problems(of account: AccountFacts) -> [Finding] {
        if account.user == nil {
            failure(.accessNoAccount, account.name, "this user does not exist")
                .meaning("systemd cannot start the daemon, and the udev rules have no group to assign the sensors to")
                .fix("sudo systemd-sysusers")
        } else {
            for sensor in sensors { access(to: sensor, account) }
            let isBare = kernel?.hasRules == false && (account.user != 0 || !sensors.isEmpty)
            failure(.accessNoRules, if: isBare, "60-waymark-iio.rules", "the udev rules are not installed")
                .meaning("after each boot or replug the daemon has no permission to use the sensors")
                .fix("\(Remedy.install) && \(Remedy.applyUdevRules)\(Remedy.orFromSources)")
        }
    }

    @Rules private func access(to sensor: SensorFacts, _ account: AccountFacts) -> [Finding] {
        let denied = "permission denied: \(account.noun) cannot"
        if let node = sensor.node {
            let isDenied = node.permission.map { !$0.allows(6, to: account) } ?? false
            let isMissing = node.permission == nil && sensor.isBuffered
            failure(.accessNode, if: isDenied, node.path, "\(denied) read and write the device node of \(sensor.name)")
                .meaning("its samples cannot be streamed").fix(Remedy.applyUdevRules)
            failure(.accessNoNode, if: isMissing, node.path, "the device node of \(sensor.name) does not exist")
                .meaning("the kernel has the sensor but /dev does not: a container or sandbox may hide it")
                .fix("sudo udevadm trigger --action=add --subsystem-match=iio; ls -l /dev/iio:*")
        }
        let closed = sensor.attributes.filter { !$0.permission.allows(2, to: account) }.map(\.name)
        failure(.accessAttributes, if: !closed.isEmpty, sensor.name, "\(denied) write \(Amount.list(closed)) in /sys")
            .meaning("libiio sets channels, rate and buffer through these files, so the sensor cannot be started")
            .fix(Remedy.applyUdevRules)
    }

    @Rules func groupRules(_ changes: ChangeFacts) -> [Finding] {
        let group = changes.group
        let isMissing = !group.isEmpty && !changes.exists
        warning(.accessNoChangeGroup, if: isMissing, "service.change_group", "group \(group) does not exist")
            .meaning("only root may record, calibrate, or change routes and places").fix(Membership.creation(group))
        // An upgrade without sysusers.d does not create the second group. If the first one is missing too, the rule
        // above reports that, and its fix creates both.
        let isIncomplete = group == Membership.changers && changes.exists && !changes.aidGroupExists
        let aiders = Membership.aiders
        warning(.accessNoAidGroup, if: isIncomplete, aiders, "group \(aiders) does not exist")
            .meaning("only root may offer measurements, such as a camera's odometry").fix(Membership.creation(group))
    }

    /// Findings about permissions beyond those that the units and udev rules give. Only the permissions of a service's
    /// user are checked. A person who starts a daemon decides about its permissions.
    @Rules func openSensorRules(_ service: AccountFacts) -> [Finding] {
        for sensor in sensors {
            let users = sensor.node?.permission?.others(than: service, with: 6)
            // Everyone may read the files in /sys, so only write permission is checked.
            let files = sensor.attributes.filter { $0.permission.others(than: service, with: 2) != nil }
            let writers = files.first?.permission.others(than: service, with: 2)
            let open = users.map { "\($0) can open the device node of \(sensor.name)" }
            let writable = writers.map { "\($0) can write \(Amount.list(files.map(\.name))) in /sys" }
            let search = "grep -rsE 'iio|GROUP=' /etc/udev/rules.d /run/udev/rules.d"
            warning(.accessOpen, (users == nil ? nil : sensor.node?.path) ?? sensor.name, open ?? writable)
                .meaning("other programs can stop the sensor or change its rate; an older udev rule may still apply")
                .fix("\(search)  # remove such a rule, then: \(Remedy.applyUdevRules)")
        }
    }
}

/// Why the caller may not do something, and the command that changes this.
typealias Refusal = (reason: String, remedy: String)

/// Groups whose members may make changes or offer measurements.
enum Membership {
    /// Groups of the default settings, which sysusers.d creates.
    static let (changers, aiders) = ("waymark-change", "waymark-aid")

    static func creation(_ group: String) -> String {
        (group == changers ? "sudo systemd-sysusers" : "sudo groupadd --system \(group.shellQuoted)")
            + " && sudo systemctl reload waymarkd"
    }

    static func newSession(_ group: String) -> Refusal {
        ("you were added to group \(group) after this login session started", "newgrp \(group.shellQuoted)")
    }

    static func refusal(_ requirement: String, _ group: String, exists: Bool, isMember: Bool) -> Refusal {
        let reason = "\(requirement) group \(group)"
        if !exists { return (reason + ", which does not exist", creation(group == aiders ? changers : group)) }
        return isMember ? newSession(group) : (reason, Remedy.join(group))
    }
}

extension ChangeFacts {
    /// Why the caller may not make changes; nil if no group may make changes.
    var refusal: Refusal? {
        group.isEmpty ? nil : Membership.refusal("changes require", group, exists: exists, isMember: isMember)
    }
}

/// Explains to the caller, in one line, why a change was refused.
package enum ChangeRefusal {
    package static func text(_ changes: ChangeFacts) -> String {
        let unconditional = "only root and the user in the daemon's configuration may make changes"
        return "permission denied: " + (changes.refusal.map { "\($0.reason): \($0.remedy)" } ?? unconditional)
    }
}

/// Explains to the caller, in one line, why offered measurements were refused.
package enum AidRefusal {
    package static func text(exists: Bool, isMember: Bool) -> String {
        let offering = "offering measurements requires"
        let refusal = Membership.refusal(offering, Membership.aiders, exists: exists, isMember: isMember)
        return "permission denied: \(refusal.reason): \(refusal.remedy)"
    }
}
