/// gpsd and the satellite receiver behind it.
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
            meaning: "there is no position on the earth, and no north from motion",
            remedy: receiver.isLocal
                ? "sudo apt install gpsd && sudo systemctl enable --now gpsd.socket"
                : "ssh \(receiver.host.shellQuoted) systemctl status gpsd.socket")
    }

    private static func cutOff(_ receiver: ReceiverFacts, _ problem: String) -> Finding {
        .failure(
            .receiverCutOff, receiver.address, "gpsd gives fixes here, and none to the daemon: \(problem)",
            meaning: "the sandbox of the unit keeps it from gpsd, or the daemon was started with other settings",
            remedy: receiver.isLocal
                ? "sudo systemctl restart waymarkd"
                : "sudo systemctl edit waymarkd && sudo systemctl restart waymarkd  # [Service] IPAddressAllow="
                    + allowed(receiver.host))
    }

    /// systemd takes addresses, and no names; a name has to be asked for as well.
    private static func allowed(_ host: String) -> String {
        let isAddress = host.contains(":") || host.allSatisfy { $0.isNumber || $0 == "." }
        return isAddress ? host : "… with the addresses of \(host) and of the name server"
    }

    private static func refused(_ receiver: ReceiverFacts, _ refusal: String, _ facts: BoardFacts) -> Finding {
        .failure(
            .receiverRefused, receiver.address, "gpsd refuses '\(receiver.wanted)': \(refusal)",
            meaning: "it knows no receiver by the name that the settings give", remedy: choose(facts))
    }

    private static func choose(_ facts: BoardFacts) -> String {
        "gpspipe -w -n 3 | grep DEVICES; " + Remedy.edit(facts, "gnss.device")
    }

    private static func missing(_ receiver: ReceiverFacts, _ facts: BoardFacts) -> Finding {
        guard receiver.wanted.isEmpty else {
            return refused(receiver, "it has no receiver of that name", facts)
        }
        return .failure(
            .receiverMissing, receiver.address, "gpsd has no receiver",
            meaning: "it runs, but nobody told it where the receiver is, or that was unplugged",
            remedy: "sudo gpsdctl add /dev/ttyACM0  # to keep it: DEVICES in /etc/default/gpsd")
    }

    private static func silent(_ receiver: ReceiverFacts) -> Finding {
        let name = receiver.device ?? (receiver.wanted.isEmpty ? "the receiver" : receiver.wanted)
        return .failure(
            .receiverSilent, receiver.address, "\(name) reports nothing",
            meaning: "its cable, its power or the speed of its port is wrong",
            remedy: "sudo systemctl restart gpsd; gpspipe -R -n 5")
    }

    private static func blind(_ receiver: ReceiverFacts) -> Finding {
        .warning(
            .receiverNoFix, receiver.address, "\(receiver.device ?? "the receiver") has no fix",
            meaning: "it sees too few satellites: it needs a view of the sky, cold for some minutes",
            remedy: "cgps -s")
    }
}
