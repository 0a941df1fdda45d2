/// gpsd and its GNSS receiver.
enum ReceiverRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let receiver = facts.receiver, facts.configuration?.readsReceiver ?? true else { return [] }
        return [finding(receiver, facts)]
    }

    private static func finding(_ receiver: ReceiverFacts, _ facts: BoardFacts) -> Finding {
        if let problem = receiver.problem { return unreachable(receiver, problem) }
        if let refusal = receiver.refusal { return refused(receiver, refusal, facts) }
        if receiver.fixes > 0, let daemon = facts.daemon, daemon.uptime > Limits.receiverPatience,
            let problem = daemon.receiverProblem
        {
            return cutOff(receiver, problem)
        }
        if receiver.fixes > 0 {
            let name = receiver.device.map { " of \($0)" } ?? ""
            return .ok(.receiverFix, receiver.address, "fixes\(name)")
        }
        if receiver.receivers == 0 { return missing(receiver, facts) }
        return receiver.reports > 0 ? blind(receiver) : silent(receiver)
    }

    private static func unreachable(_ receiver: ReceiverFacts, _ problem: String) -> Finding {
        .failure(
            .receiverUnreachable, receiver.address, "gpsd \(problem)",
            meaning: "there is no geographic position and no heading from motion",
            remedy: receiver.isLocal
                ? "sudo apt install gpsd && sudo systemctl enable --now gpsd.socket"
                : "ssh \(receiver.host.shellQuoted) systemctl status gpsd.socket")
    }

    private static func cutOff(_ receiver: ReceiverFacts, _ problem: String) -> Finding {
        .failure(
            .receiverCutOff, receiver.address, "gpsd delivers fixes to this command, but not to the daemon: \(problem)",
            meaning: "the unit's sandbox blocks gpsd, or the daemon runs with other settings",
            remedy: receiver.isLocal
                ? "sudo systemctl restart waymarkd"
                : "sudo systemctl edit waymarkd && sudo systemctl restart waymarkd  # [Service] IPAddressAllow="
                    + allowed(receiver.host))
    }

    /// IPAddressAllow= takes addresses only; for a host name, the name server must be allowed as well.
    private static func allowed(_ host: String) -> String {
        let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
        return isAddress ? host : "… with the addresses of \(host) and of the name server"
    }

    private static func refused(_ receiver: ReceiverFacts, _ refusal: String, _ facts: BoardFacts) -> Finding {
        .failure(
            .receiverRefused, receiver.address, "gpsd rejects the device '\(receiver.wanted)': \(refusal)",
            meaning: "gpsd has no receiver of the name in the settings", remedy: choose(facts))
    }

    private static func choose(_ facts: BoardFacts) -> String {
        "gpspipe -w -n 3 | grep DEVICES; " + Remedy.edit(facts, "gnss.device")
    }

    private static func missing(_ receiver: ReceiverFacts, _ facts: BoardFacts) -> Finding {
        guard receiver.wanted.isEmpty else {
            return refused(receiver, "no receiver of that name", facts)
        }
        return .failure(
            .receiverMissing, receiver.address, "gpsd has no receiver",
            meaning: "gpsd is running but has no device configured, or the device was unplugged",
            remedy: "sudo gpsdctl add /dev/ttyACM0  # to keep it: DEVICES in /etc/default/gpsd")
    }

    private static func silent(_ receiver: ReceiverFacts) -> Finding {
        let name = receiver.device ?? (receiver.wanted.isEmpty ? "the receiver" : receiver.wanted)
        return .failure(
            .receiverSilent, receiver.address, "no data from \(name)",
            meaning: "check the cable, the power supply and the baud rate",
            remedy: "sudo systemctl restart gpsd; gpspipe -R -n 5")
    }

    private static func blind(_ receiver: ReceiverFacts) -> Finding {
        .warning(
            .receiverNoFix, receiver.address, "\(receiver.device ?? "the receiver") has no fix",
            meaning: "too few satellites: it needs a clear view of the sky, for minutes after a cold start",
            remedy: "cgps -s")
    }
}
