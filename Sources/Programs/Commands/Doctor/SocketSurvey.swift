import Glibc
import Linux
import WaymarkClient

/// The daemon's socket: type of the file at its path, and whether a daemon answers.
struct SocketSurvey {
    let path: String
    let cancel: Int32

    /// Returns facts about the socket, and a connection to the daemon if it answers.
    ///
    /// - Throws: only `.cancelled`; other errors are part of the facts.
    func facts() throws(WaymarkError) -> (SocketFacts, Waymark.Client?, Waymark.Status?) {
        var facts = SocketFacts(path: path, outcome: .answered)
        describe(&facts)
        do throws(WaymarkError) {
            let client = try Waymark.Client(path: path, cancel: cancel)
            return (facts, client, try client.status())
        } catch {
            guard error != .cancelled else { throw error }
            facts.outcome = Self.outcome(of: error)
            return (facts, nil, nil)
        }
    }

    private func describe(_ facts: inout SocketFacts) {
        var information = stat()
        guard stat(path, &information) == 0 else { return }
        if information.st_mode & S_IFMT == S_IFSOCK { facts.mode = information.st_mode & 0o7777 }
        facts.group = AccountSurvey.name(ofGroup: information.st_gid)
        facts.isMember = AccountSurvey.isRecorded(in: information.st_gid)
        // Users should not join root's group for this, and a group without write permission does not help.
        facts.isForRootAlone = information.st_gid == 0 || information.st_mode & 0o020 == 0
    }

    static func outcome(of error: WaymarkError) -> SocketFacts.Outcome {
        switch error {
        case .connectionDenied: .denied
        case .notASocket: .notASocket
        case .timedOut, .disconnected: .mute
        case .status(.limitExceeded(_, let maximum)): .full(maximum)
        case .unreachable(let path, let reason): unreachable(path, reason)
        default: .other("\(error)")
        }
    }

    private static func unreachable(_ path: String, _ reason: String) -> SocketFacts.Outcome {
        var information = stat()
        guard stat(path, &information) == 0 else {
            return errno == ENOENT || errno == ENOTDIR ? .missing : errno == EACCES ? .denied : .other(reason)
        }
        return reason == SystemError("", code: ECONNREFUSED).reason ? .refused : .other(reason)
    }
}

/// State of a systemd unit, read with systemctl.
struct UnitSurvey {
    let host: Host
    let unit: String

    static let daemon = "waymarkd.service"
    static let navigator = "waymark-navigator.service"

    private static let properties = [
        "LoadState", "ActiveState", "Result", "ExecMainStatus", "UnitFileState", "NRestarts", "User",
    ]

    /// Returns facts about the unit; nil if systemd is not running, or if systemctl does not answer.
    func facts() -> UnitFacts? {
        guard host.exists("/run/systemd/system") else { return nil }
        let answer = Subprocess.output(
            of: ["systemctl", "show", unit, "--no-pager", "--property=" + Self.properties.joined(separator: ",")],
            timeoutSeconds: 10)
        guard let answer else { return nil }
        var values: [Substring: String] = [:]
        for line in answer.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { values[parts[0]] = String(parts[1]) }
        }
        guard let load = values["LoadState"], let active = values["ActiveState"] else { return nil }
        var facts = UnitFacts(
            name: unit, load: load, active: active, result: values["Result"] ?? "",
            exitStatus: values["ExecMainStatus"].flatMap { Int($0) }, file: values["UnitFileState"] ?? "",
            restarts: values["NRestarts"].flatMap { Int($0) } ?? 0)
        facts.user = values["User"] ?? ""
        return facts
    }
}
