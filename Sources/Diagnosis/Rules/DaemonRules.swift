/// The running daemon: version, state and poses.
enum DaemonRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let daemon = facts.daemon else { return [] }
        var findings = [version(daemon, facts.version), state(daemon)]
        if daemon.isSimulation, facts.configuration?.isSimulation != true { findings.append(simulated) }
        if daemon.poses <= 0 { findings.append(silent(daemon)) }
        // A device with two sensors has one counter.
        var seen: Set<String> = []
        for stream in facts.streams where stream.dropped > 0 && seen.insert(stream.device).inserted {
            findings.append(slow(stream))
        }
        if let refusal = daemon.refusal { findings.append(unseen(refusal, facts)) }
        return findings
    }

    private static func version(_ daemon: DaemonFacts, _ own: String) -> Finding {
        guard daemon.version != own else {
            return .ok(.daemonVersion, "waymarkd", "version \(own), same as this command")
        }
        return .warning(
            .daemonOtherVersion, "waymarkd", "version \(daemon.version), but this command is version \(own)",
            meaning: "one was upgraded while the other kept running; their protocols may not match",
            remedy: "sudo systemctl restart waymarkd")
    }

    private static func state(_ daemon: DaemonFacts) -> Finding {
        guard daemon.state != "localized" else { return .ok(.daemonState, "waymarkd", "localized") }
        let reasons = daemon.reasons.isEmpty ? "" : ": " + Amount.list(daemon.reasons)
        return .warning(
            .daemonLimited, "waymarkd", "state \(daemon.state)\(reasons)",
            meaning: daemon.advice.first ?? "poses are less accurate than possible",
            remedy: "waymark wait --horizontal 10 --yaw 15")
    }

    private static let simulated = Finding.warning(
        .daemonSimulation, "waymarkd", "running the simulated walk",
        meaning: "poses are simulated; no sensor is read", remedy: "sudo systemctl restart waymarkd")

    private static func silent(_ daemon: DaemonFacts) -> Finding {
        .failure(
            .daemonNoPoses, "waymarkd", "no poses are published",
            meaning: "the accelerometer or gyroscope delivers no data; see the findings on sensors",
            remedy: "waymark devices")
    }

    private static func slow(_ stream: StreamFacts) -> Finding {
        .warning(
            .daemonSlow, stream.device, "\(stream.dropped) samples were dropped before the estimator",
            meaning: "the CPU was overloaded or blocked for seconds",
            remedy: "systemd-cgtop -n 3 --order=cpu")
    }

    private static func unseen(_ refusal: DaemonFacts.Refusal, _ facts: BoardFacts) -> Finding {
        let remedy =
            switch refusal.cause {
            case .permission: Remedy.asRoot(facts)
            case .recording: "waymark status  # stop the recording shown there, then run the doctor again"
            case .room: "df -h /var/tmp /tmp /dev/shm  # free space in one of them"
            case .other: "journalctl -u waymarkd -n 30"
            }
        return .warning(
            .daemonKeepsData, "waymarkd", "no samples could be recorded: \(refusal.text)",
            meaning: "scales, jitter and mount were not checked", remedy: remedy)
    }
}
