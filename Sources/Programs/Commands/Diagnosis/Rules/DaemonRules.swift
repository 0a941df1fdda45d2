/// The daemon's socket: why a client cannot connect.
enum SocketRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let socket = facts.socket else { return [] }
        return [connection(socket, facts)] + (open(socket, facts).map { [$0] } ?? [])
    }

    private static func connection(_ socket: SocketFacts, _ facts: BoardFacts) -> Finding {
        switch socket.outcome {
        case .answered: return .ok(.socketAnswers, socket.path, "the daemon answers")
        case .missing: return missing(socket, facts)
        case .notASocket: return other(socket, facts)
        case .refused: return stale(socket, facts)
        case .denied: return denied(socket, facts)
        case .full(let limit): return full(socket, limit, facts)
        case .mute: return mute(socket)
        case .other(let text): return foreign(socket, text)
        }
    }

    /// Path of the system's socket; any other is managed by its user.
    private static let systemPath = "/run/waymark/waymark.sock"

    private static func start(_ socket: SocketFacts, _ facts: BoardFacts) -> String {
        if socket.path == systemPath { return "sudo systemctl enable --now waymark.socket waymarkd.service" }
        return "waymarkd\(Remedy.option(facts)) --socket \(socket.path.shellQuoted)"
    }

    private static func missing(_ socket: SocketFacts, _ facts: BoardFacts) -> Finding {
        .failure(
            .socketMissing, socket.path, "the socket does not exist", meaning: "no daemon is listening there",
            remedy: start(socket, facts))
    }

    private static func stale(_ socket: SocketFacts, _ facts: BoardFacts) -> Finding {
        .failure(
            .socketStale, socket.path, "connection refused: no process listens on the socket",
            meaning: "a daemon has exited without removing its socket",
            remedy: socket.path == systemPath
                ? "sudo systemctl restart waymark.socket waymarkd.service"
                : "rm \(socket.path.shellQuoted) && \(start(socket, facts))")
    }

    private static func other(_ socket: SocketFacts, _ facts: BoardFacts) -> Finding {
        .failure(
            .socketOther, socket.path, "exists but is not a socket",
            meaning: "the daemon cannot listen there",
            remedy: "sudo rm \(socket.path.shellQuoted) && \(start(socket, facts))")
    }

    private static func denied(_ socket: SocketFacts, _ facts: BoardFacts) -> Finding {
        let join: String
        let what: String
        switch (socket.group, socket.isMember) {
        // Cases that group membership cannot solve.
        case _ where socket.isForRootAlone, (nil, _):
            what = "permission denied"
            join = Remedy.asRoot(facts)
        case (let group?, true):
            what = "you were added to group \(group) after this login session started"
            join = "newgrp \(group.shellQuoted)"
        case (let group?, false):
            what = "permission denied: access requires group \(group)" + alone(facts)
            join = Remedy.join(group)
        }
        return .failure(
            .socketDenied, socket.path, what, meaning: "your programs cannot receive poses", remedy: join)
    }

    /// A member of the group for changes alone may take that for enough.
    private static func alone(_ facts: BoardFacts) -> String {
        guard let changes = facts.changes, changes.isMember else { return "" }
        return "; group \(changes.group) permits changes, but not to connect"
    }

    /// Any user of the computer can follow the wearer.
    private static func open(_ socket: SocketFacts, _ facts: BoardFacts) -> Finding? {
        guard let mode = socket.mode, mode & 0o002 != 0 else { return nil }
        let digits = "0" + String(mode, radix: 8)
        return .warning(
            .socketOpen, socket.path, "every user of this computer can connect: mode \(digits)",
            meaning: "any program can read the wearer's position",
            remedy: socket.path == systemPath
                ? "sudo systemctl edit waymark.socket && sudo systemctl restart waymark.socket waymarkd.service"
                    + "  # [Socket] SocketMode=0660"
                : Remedy.edit(facts, "service.socket_mode = \"0660\""))
    }

    private static func full(_ socket: SocketFacts, _ limit: Int, _ facts: BoardFacts) -> Finding {
        .failure(
            .socketFull, socket.path, "the daemon rejects new clients: limit of \(limit) reached",
            meaning: "new clients receive no poses; one program may hold many connections",
            remedy: "sudo ss -xp src \(socket.path.shellQuoted); "
                + Remedy.edit(facts, "service.max_clients and max_clients_per_user, or stop some of these clients"))
    }

    private static func mute(_ socket: SocketFacts) -> Finding {
        .failure(
            .socketMute, socket.path, "the listening process does not respond",
            meaning: "the daemon hangs or is stopped",
            remedy: "sudo systemctl restart waymarkd")
    }

    private static func foreign(_ socket: SocketFacts, _ text: String) -> Finding {
        .failure(
            .socketForeign, socket.path, text, meaning: "the listening process is not a waymarkd of this version",
            remedy: "ss -xlp src \(socket.path.shellQuoted)")
    }
}

/// The running daemon: version, state and poses.
enum DaemonRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let daemon = facts.daemon else { return [] }
        var findings = [version(daemon, facts.version), state(daemon)]
        if daemon.isDemonstration {
            findings.append(demonstration)
        } else if daemon.isSimulation, facts.configuration?.isSimulation != true {
            findings.append(simulated)
        }
        if daemon.poses <= 0 { findings.append(silent(daemon)) }
        // A device with two sensors has one counter.
        var seen: Set<String> = []
        for stream in facts.streams where stream.dropped > 0 && seen.insert(stream.device).inserted {
            findings.append(slow(stream))
        }
        if let problem = daemon.ringProblem { findings.append(ringless(problem)) }
        findings += daemon.damagedPlaces.map(damaged)
        findings += daemon.damagedPlans.map(damaged(plan:))
        if let refusal = daemon.refusal { findings.append(unseen(refusal, facts)) }
        return findings
    }

    private static func damaged(_ copy: DaemonFacts.DamagedPlaces) -> Finding {
        let delete = "sudo sh -c \("rm -f \(copy.path.shellQuoted)*".shellQuoted)"
        return .warning(
            .daemonDamagedPlaces, copy.path,
            "the database of places was damaged; \(copy.places) places were recovered"
                + (copy.isComplete ? ", all that it held" : ", and others could not be read"),
            meaning: copy.isComplete
                ? "the copy is no longer needed; if this happens again, the disk may be failing"
                : "places, favorites, filters or anchors are missing, and the disk may be failing",
            remedy: (copy.isComplete ? "" : "waymark places import FILE  # again what is missing; then: ") + delete)
    }

    private static func damaged(plan path: String) -> Finding {
        .warning(
            .daemonDamagedPlan, path, "the file of a floor plan was damaged; the plan is not used",
            meaning: "positions do not follow this plan, and the disk may be failing",
            remedy: "waymark plan import --id ID FILE  # the same plan again"
                + (path.hasSuffix(".damaged") ? "; then: sudo rm -f \(path.shellQuoted)" : ""))
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

    private static let demonstration = Finding.ok(
        .daemonDemonstration, "waymarkd", "demonstration with simulated poses: the board is not checked")

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

    private static func ringless(_ problem: String) -> Finding {
        .warning(
            .daemonNoRing, "waymarkd", problem,
            meaning: "render threads cannot read poses from shared memory; all other clients are served",
            remedy: "journalctl -u waymarkd -g 'pose ring'")
    }

    private static func unseen(_ refusal: DaemonFacts.Refusal, _ facts: BoardFacts) -> Finding {
        let remedy =
            switch refusal.cause {
            case .permission: recordingRight(facts)
            case .recording: "waymark status  # stop the recording shown there, then run the doctor again"
            case .room: "df -h /var/tmp /tmp /dev/shm  # free space in one of them"
            case .other: "journalctl -u waymarkd -n 30"
            }
        return .warning(
            .daemonKeepsData, "waymarkd", "no samples could be recorded: \(refusal.text)",
            meaning: "scales, jitter and mount were not checked", remedy: remedy)
    }

    /// Readers need no more for their own purposes, so the check as root comes second.
    private static func recordingRight(_ facts: BoardFacts) -> String {
        guard let refusal = facts.changes.flatMap(RightsRules.refusal) else { return Remedy.asRoot(facts) }
        return "\(refusal.remedy)\(refusal.remedy.contains("#") ? "; once:" : "  # once:") \(Remedy.asRoot(facts))"
    }
}
