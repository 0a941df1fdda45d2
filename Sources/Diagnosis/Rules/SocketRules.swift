/// The daemon's socket: why a client does not get through.
enum SocketRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let socket = facts.socket else { return [] }
        switch socket.outcome {
        case .answered: return [.ok(.socketAnswers, socket.path, "the daemon answers")]
        case .missing: return [missing(socket, facts)]
        case .notASocket: return [other(socket, facts)]
        case .refused: return [stale(socket, facts)]
        case .denied: return [denied(socket, facts)]
        case .full(let most): return [full(socket, most, facts)]
        case .mute: return [mute(socket)]
        case .other(let text): return [foreign(socket, text)]
        }
    }

    /// Where the system's own socket is; any other is for whoever chose it.
    private static let systemPath = "/run/waymark/waymark.sock"

    private static func start(_ socket: SocketFacts, _ facts: BoardFacts) -> String {
        if socket.path == systemPath { return "sudo systemctl enable --now waymark.socket waymarkd.service" }
        return "waymarkd\(Remedy.option(facts)) --socket \(socket.path.shellQuoted)"
    }

    private static func missing(_ socket: SocketFacts, _ facts: BoardFacts) -> Finding {
        .failure(
            .socketMissing, socket.path, "there is no socket", meaning: "no daemon runs that would listen there",
            remedy: start(socket, facts))
    }

    private static func stale(_ socket: SocketFacts, _ facts: BoardFacts) -> Finding {
        .failure(
            .socketStale, socket.path, "nobody listens at the socket",
            meaning: "a daemon that was there has ended without taking it away",
            remedy: socket.path == systemPath
                ? "sudo systemctl restart waymark.socket waymarkd.service"
                : "rm \(socket.path.shellQuoted) && \(start(socket, facts))")
    }

    private static func other(_ socket: SocketFacts, _ facts: BoardFacts) -> Finding {
        .failure(
            .socketOther, socket.path, "there is something that is no socket",
            meaning: "the daemon cannot listen there",
            remedy: "sudo rm \(socket.path.shellQuoted) && \(start(socket, facts))")
    }

    private static func denied(_ socket: SocketFacts, _ facts: BoardFacts) -> Finding {
        let join: String
        let what: String
        switch (socket.group, socket.isMember) {
        // What no group helps with comes first.
        case _ where socket.isForRootAlone, (nil, _):
            what = "you may not connect"
            join = Remedy.asRoot(facts)
        case (let group?, true):
            what = "you are in the group \(group), but this session is older than that"
            join = "newgrp \(group.shellQuoted)"
        case (let group?, false):
            what = "you may not connect: it is for the group \(group)"
            join = "sudo usermod -aG \(group.shellQuoted) \"$USER\"  # then log in again"
        }
        return .failure(
            .socketDenied, socket.path, what, meaning: "no program of yours gets poses", remedy: join)
    }

    private static func full(_ socket: SocketFacts, _ most: Int, _ facts: BoardFacts) -> Finding {
        .failure(
            .socketFull, socket.path, "the daemon turns new clients away: it serves \(most) and no more",
            meaning: "whoever connects now gets no poses; one program may hold many connections",
            remedy: "sudo ss -xp src \(socket.path.shellQuoted); "
                + Remedy.edit(facts, "service.max_clients, or end some of these"))
    }

    private static func mute(_ socket: SocketFacts) -> Finding {
        .failure(
            .socketMute, socket.path, "whoever listens does not answer", meaning: "the daemon hangs, or is stopped",
            remedy: "sudo systemctl restart waymarkd")
    }

    private static func foreign(_ socket: SocketFacts, _ text: String) -> Finding {
        .failure(
            .socketForeign, socket.path, text, meaning: "it is not a waymarkd of this version that listens there",
            remedy: "ss -xlp src \(socket.path.shellQuoted)")
    }
}
