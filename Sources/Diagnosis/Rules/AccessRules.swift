/// Permissions that libiio needs: device nodes in /dev, and files in /sys that configure buffers.
enum AccessRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        rights(facts) + (facts.skippedChecks.isEmpty ? [] : [limited(facts)])
    }

    private static func limited(_ facts: BoardFacts) -> Finding {
        .warning(
            .accessLimited, "waymark doctor", "no permission to inspect \(Amount.list(facts.skippedChecks))",
            meaning: "these checks were skipped", remedy: Remedy.asRoot(facts))
    }

    private static func rights(_ facts: BoardFacts) -> [Finding] {
        guard facts.devices?.isLocal ?? false, let account = facts.account else { return [] }
        guard account.user != nil else { return [noAccount(account)] }
        let sensors = facts.devices?.sensors ?? []
        var findings = sensors.flatMap { of($0, account, facts) }
        if facts.kernel?.hasRules == false, account.user != 0 || !sensors.isEmpty { findings.append(noRules) }
        guard findings.isEmpty, !sensors.isEmpty else { return findings }
        return [.ok(.accessGranted, account.name, "has access to the device nodes and buffers of all sensors")]
    }

    private static func of(_ sensor: SensorFacts, _ account: AccountFacts, _ facts: BoardFacts) -> [Finding] {
        var findings: [Finding] = []
        if let node = sensor.node {
            if let permission = node.permission {
                if !permission.allows(6, to: account) { findings.append(denied(node.path, sensor, account)) }
            } else if sensor.isBuffered {
                findings.append(noNode(node.path, sensor))
            }
        }
        let closed = sensor.attributes.filter { !$0.permission.allows(2, to: account) }.map(\.name)
        if !closed.isEmpty { findings.append(closedAttributes(closed, sensor, account)) }
        return findings
    }

    /// Applies the udev rules to the present devices.
    private static let trigger = "sudo udevadm control --reload && sudo udevadm trigger --subsystem-match=iio"

    private static func who(_ account: AccountFacts) -> String { account.isCaller ? "you" : account.name }

    private static func denied(_ path: String, _ sensor: SensorFacts, _ account: AccountFacts) -> Finding {
        .failure(
            .accessNode, path,
            "permission denied: \(who(account)) cannot read and write the device node of \(sensor.name)",
            meaning: "its samples cannot be streamed", remedy: trigger)
    }

    private static func closedAttributes(
        _ names: [String], _ sensor: SensorFacts, _ account: AccountFacts
    ) -> Finding {
        .failure(
            .accessAttributes, sensor.name,
            "permission denied: \(who(account)) cannot write \(Amount.list(names)) in /sys",
            meaning: "libiio sets channels, rate and buffer through these files, so the sensor cannot be started",
            remedy: trigger)
    }

    private static func noNode(_ path: String, _ sensor: SensorFacts) -> Finding {
        .failure(
            .accessNoNode, path, "the device node of \(sensor.name) does not exist",
            meaning: "the kernel has the sensor but /dev does not: a container or sandbox may hide it",
            remedy: "sudo udevadm trigger --action=add --subsystem-match=iio; ls -l /dev/iio:*")
    }

    private static let noRules = Finding.failure(
        .accessNoRules, "60-waymark-iio.rules", "the udev rules are not installed",
        meaning: "after each boot or replug the daemon has no permission to use the sensors",
        remedy: Remedy.install + " && " + trigger + Remedy.orFromSources)

    private static func noAccount(_ account: AccountFacts) -> Finding {
        .failure(
            .accessNoAccount, account.name, "this user does not exist",
            meaning: "systemd cannot start the daemon, and the udev rules have no group to assign the sensors to",
            remedy: "sudo systemd-sysusers")
    }
}
