import Diagnosis

/// The unit of the daemon, by systemctl.
struct UnitSurvey {
    let host: Host
    static let unit = "waymarkd.service"

    private static let properties = [
        "LoadState", "ActiveState", "Result", "ExecMainStatus", "UnitFileState", "NRestarts", "User",
    ]

    /// Nil where systemd is not what runs the services.
    func facts() -> UnitFacts? {
        guard host.exists("/run/systemd/system") else { return nil }
        let answer = Subprocess.output(
            of: ["systemctl", "show", Self.unit, "--no-pager", "--property=" + Self.properties.joined(separator: ",")],
            timeoutSeconds: 10)
        guard let answer else { return nil }
        var values: [Substring: String] = [:]
        for line in answer.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { values[parts[0]] = String(parts[1]) }
        }
        guard let load = values["LoadState"], let active = values["ActiveState"] else { return nil }
        var facts = UnitFacts(
            name: Self.unit, load: load, active: active, result: values["Result"] ?? "",
            exitStatus: values["ExecMainStatus"].flatMap { Int($0) }, file: values["UnitFileState"] ?? "",
            restarts: values["NRestarts"].flatMap { Int($0) } ?? 0)
        facts.user = values["User"] ?? ""
        return facts
    }
}
