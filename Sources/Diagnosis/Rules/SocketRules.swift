/// The daemon's socket: why a client does not get through.
enum SocketRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let socket = facts.socket else { return [] }
        switch socket.outcome {
        case .answered: return [.ok(.socketAnswers, socket.path, "the daemon answers")]
        case .missing: return [missing(socket, facts)]
        case .notASocket: return [other(socket, facts)]
        case .refused: return [stale(socket, facts)]
        case .denied: return [denied(socket)]
        case .mute: return [mute(socket)]
        case .other(let text): return [foreign(socket, text)]
        }
    }

    /// Where the system's own socket is; any other is for whoever chose it.
    private static let systemPath = "/run/waymark/waymark.sock"

    private static let systemFile = "/etc/waymark/waymark.toml"

    private static func start(_ socket: SocketFacts, _ facts: BoardFacts) -> String {
        if socket.path == systemPath { return "sudo systemctl enable --now waymark.socket waymarkd.service" }
        let file = facts.configuration?.file ?? systemFile
        return "waymarkd" + (file == systemFile ? "" : " --config \(file)") + " --socket \(socket.path)"
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
                : "rm \(socket.path) && \(start(socket, facts))")
    }

    private static func other(_ socket: SocketFacts, _ facts: BoardFacts) -> Finding {
        .failure(
            .socketOther, socket.path, "there is something that is no socket",
            meaning: "the daemon cannot listen there", remedy: "sudo rm \(socket.path) && \(start(socket, facts))")
    }

    private static func denied(_ socket: SocketFacts) -> Finding {
        let join: String
        let what: String
        switch (socket.group, socket.isMember) {
        case (let group?, true):
            what = "you are in the group \(group), but this session is older than that"
            join = "newgrp \(group)"
        case (let group?, false) where !socket.isForRootAlone:
            what = "you may not connect: it is for the group \(group)"
            join = "sudo usermod -aG \(group) \"$USER\"  # then log in again"
        default:
            what = "you may not connect"
            join = "sudo waymark doctor"
        }
        return .failure(
            .socketDenied, socket.path, what, meaning: "no program of yours gets poses", remedy: join)
    }

    private static func mute(_ socket: SocketFacts) -> Finding {
        .failure(
            .socketMute, socket.path, "whoever listens does not answer", meaning: "the daemon hangs, or is stopped",
            remedy: "sudo systemctl restart waymarkd")
    }

    private static func foreign(_ socket: SocketFacts, _ text: String) -> Finding {
        .failure(
            .socketForeign, socket.path, text, meaning: "it is not a waymarkd of this version that listens there",
            remedy: "ss -xlp src \(socket.path)")
    }
}
