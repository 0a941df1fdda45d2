/// The daemon's socket: why a client cannot connect.
enum SocketRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let socket = facts.socket else { return [] }
        switch socket.outcome {
        case .answered: return [.ok(.socketAnswers, socket.path, "the daemon answers")]
        case .missing: return [missing(socket, facts)]
        case .notASocket: return [other(socket, facts)]
        case .refused: return [stale(socket, facts)]
        case .denied: return [denied(socket, facts)]
        case .full(let limit): return [full(socket, limit, facts)]
        case .mute: return [mute(socket)]
        case .other(let text): return [foreign(socket, text)]
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
            what = "permission denied: access requires group \(group)"
            join = "sudo usermod -aG \(group.shellQuoted) \"$USER\"  # then log in again"
        }
        return .failure(
            .socketDenied, socket.path, what, meaning: "your programs cannot receive poses", remedy: join)
    }

    private static func full(_ socket: SocketFacts, _ limit: Int, _ facts: BoardFacts) -> Finding {
        .failure(
            .socketFull, socket.path, "the daemon rejects new clients: limit of \(limit) reached",
            meaning: "new clients receive no poses; one program may hold many connections",
            remedy: "sudo ss -xp src \(socket.path.shellQuoted); "
                + Remedy.edit(facts, "service.max_clients, or stop some of these clients"))
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
