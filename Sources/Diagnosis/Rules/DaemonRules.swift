/// The daemon that answered: its version, its state and its poses.
enum DaemonRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let daemon = facts.daemon else { return [] }
        var findings = [version(daemon, facts.version), state(daemon)]
        if daemon.isSimulation, facts.configuration?.isSimulation != true { findings.append(simulated) }
        if daemon.poses <= 0 { findings.append(silent(daemon)) }
        // A device that serves as two sensors has one count.
        var seen: Set<String> = []
        for stream in facts.streams where stream.dropped > 0 && seen.insert(stream.device).inserted {
            findings.append(slow(stream))
        }
        if let refusal = daemon.refusal { findings.append(unseen(refusal, facts)) }
        return findings
    }

    private static func version(_ daemon: DaemonFacts, _ own: String) -> Finding {
        guard daemon.version != own else { return .ok(.daemonVersion, "waymarkd", "version \(own), as this command") }
        return .warning(
            .daemonOtherVersion, "waymarkd", "version \(daemon.version), and this command is \(own)",
            meaning: "one of them was replaced while the other went on; they may not understand each other",
            remedy: "sudo systemctl restart waymarkd")
    }

    private static func state(_ daemon: DaemonFacts) -> Finding {
        guard daemon.state != "localized" else { return .ok(.daemonState, "waymarkd", "it is localized") }
        let reasons = daemon.reasons.isEmpty ? "" : ": " + Amount.list(daemon.reasons)
        return .warning(
            .daemonLimited, "waymarkd", "its state is \(daemon.state)\(reasons)",
            meaning: daemon.advice.first ?? "poses are less accurate than they could be",
            remedy: "waymark wait --horizontal 10 --yaw 15")
    }

    private static let simulated = Finding.warning(
        .daemonSimulation, "waymarkd", "it runs the simulated walk",
        meaning: "its poses are made up; no sensor is read", remedy: "sudo systemctl restart waymarkd")

    private static func silent(_ daemon: DaemonFacts) -> Finding {
        .failure(
            .daemonNoPoses, "waymarkd", "it publishes no poses",
            meaning: "accelerometer or gyroscope deliver nothing: the findings on devices say why",
            remedy: "waymark devices")
    }

    private static func slow(_ stream: StreamFacts) -> Finding {
        .warning(
            .daemonSlow, stream.device, "\(stream.dropped) samples were dropped on their way to the estimator",
            meaning: "something holds the board's processor up for seconds",
            remedy: "systemd-cgtop -n 3 --order=cpu")
    }

    private static func unseen(_ refusal: DaemonFacts.Refusal, _ facts: BoardFacts) -> Finding {
        let remedy =
            switch refusal.cause {
            case .permission: Remedy.asRoot(facts)
            case .recording: "waymark status  # end the recording that it names, then look again"
            case .room: "df -h /var/tmp /tmp /dev/shm  # make room in one of them"
            case .other: "journalctl -u waymarkd -n 30"
            }
        return .warning(
            .daemonKeepsData, "waymarkd", "no samples could be taken from it: \(refusal.text)",
            meaning: "scales, jitter and mount were not looked at", remedy: remedy)
    }
}
