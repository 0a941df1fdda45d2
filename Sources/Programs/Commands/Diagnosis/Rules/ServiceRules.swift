/// Settings, systemd unit, socket and daemon.
extension BoardFacts {
    @Rules func configurationRules(_ settings: ConfigurationFacts) -> [Finding] {
        let file = settings.file
        if settings.isUnreadable {
            warning(.configurationUnreadable, file, "no permission to read the settings")
                .meaning("the checks below assume the default settings").fix(asRoot)
        } else if settings.problems.isEmpty {
            let files = settings.files.isEmpty ? "compiled defaults" : Amount.list(settings.files)
            ok(.configurationRead, file, "valid: \(files)")
            if settings.isSimulation {
                warning(.configurationSimulation, "source.kind", "the settings select the simulated walk")
                    .meaning("poses are simulated; no sensor is read").fix(edit("source.kind"))
            } else {
                let isBlind = !settings.readsSensors && settings.samplesSource.isEmpty
                let disabled = "inertial and magnetic sensors are disabled"
                warning(.configurationNoSensors, if: isBlind, "iio.enabled", disabled)
                    .meaning("without orientation there are no poses").fix(edit("iio.enabled = true"))
                let isOff = !settings.readsReceiver
                warning(.configurationNoReceiver, if: isOff, "gnss.enabled", "the GNSS receiver is disabled")
                    .meaning("poses have no geographic position").fix(edit("gnss.enabled = true"))
            }
        } else {
            for mistake in settings.problems {
                failure(.configurationInvalid, file, mistake)
                    .meaning("waymarkd does not start with invalid settings")
                    .fix("sudoedit \(settingsFile) && waymarkd --check-config\(configOption) && \(Remedy.restart)")
            }
        }
    }

    @Rules func unitRules(_ unit: UnitFacts) -> [Finding] {
        let (isRunning, hasFailed) = (["active", "reloading"].contains(unit.active), unit.active == "failed")
        // EX_CONFIG of sysexits.h, the exit status of waymarkd for invalid settings.
        let isMisconfigured = unit.exitStatus == 78
        let reason = isMisconfigured ? "invalid settings" : unit.result + (unit.exitStatus.map { ", code \($0)" } ?? "")
        failure(.serviceMasked, if: unit.load == "masked", unit.name, "masked")
            .meaning("the daemon cannot be started").fix("sudo systemctl unmask \(unit.name) && \(Remedy.enable)")
        warning(.serviceMissing, if: unit.load == "not-found", unit.name, "not installed")
            .meaning("the daemon runs only if started by hand").fix(Remedy.install + Remedy.orFromSources)
        if unit.load != "masked", unit.load != "not-found" {
            ok(.serviceRunning, if: isRunning, unit.name, "running")
            failure(.serviceFailed, if: hasFailed, unit.name, "failed: \(reason)")
                .meaning("systemd has given up restarting it, and there are no poses")
                .fix(isMisconfigured ? "waymarkd --check-config" : "journalctl -u waymarkd -n 30; \(Remedy.startAgain)")
            // If a daemon that was started by hand answers, a stopped unit is only a warning.
            let isStopped = !isRunning && !hasFailed
            rule(daemon == nil ? .failure : .warning, .serviceStopped, if: isStopped, unit.name, unit.active)
                .meaning("the system's daemon publishes no poses").fix("sudo systemctl start waymarkd")
            warning(.serviceDisabled, if: unit.file == "disabled", unit.name, "not enabled")
                .meaning("the daemon does not start at boot").fix(Remedy.enable)
            let restarts = "restarted \(unit.restarts) times after unexpected exits"
            warning(.serviceRestarted, if: unit.restarts > 0 && !hasFailed, unit.name, restarts)
                .meaning("each restart interrupts the poses for seconds; the journal has the reason")
                .fix("journalctl -u waymarkd -p warning -n 50")
        }
    }

    @Rules func socketRules(_ socket: SocketFacts) -> [Finding] {
        let (path, word) = (socket.path, socket.path.shellQuoted)
        // Any other socket is managed by the user who chose it.
        let isSystem = path == "/run/waymark/waymark.sock"
        let start = isSystem ? Remedy.enable : "waymarkd\(configOption) --socket \(word)"
        switch socket.outcome {
        case .answered:
            ok(.socketAnswers, path, "the daemon answers")
        case .missing:
            failure(.socketMissing, path, "the socket does not exist")
                .meaning("no daemon is listening there").fix(start)
        case .notASocket:
            failure(.socketOther, path, "exists but is not a socket")
                .meaning("the daemon cannot listen there").fix("sudo rm \(word) && \(start)")
        case .refused:
            failure(.socketStale, path, "connection refused: no process listens on the socket")
                .meaning("a daemon has exited without removing its socket")
                .fix(isSystem ? Remedy.restartSocket : "rm \(word) && \(start)")
        case .denied:
            let (reason, remedy) = denial(socket)
            failure(.socketDenied, path, reason).meaning("your programs cannot receive poses").fix(remedy)
        case .full(let limit):
            let hint = "service.max_clients and max_clients_per_user, or stop some of these clients"
            failure(.socketFull, path, "the daemon rejects new clients: limit of \(limit) reached")
                .meaning("new clients receive no poses; one program may hold many connections")
                .fix("sudo ss -xp src \(word); " + edit(hint))
        case .mute:
            failure(.socketMute, path, "the listening process does not respond")
                .meaning("the daemon hangs or is stopped").fix(Remedy.restart)
        case .other(let text):
            failure(.socketForeign, path, text)
                .meaning("the listening process is not a waymarkd of this version").fix("ss -xlp src \(word)")
        }
        let mode = socket.mode ?? 0
        let open = "every user of this computer can connect: mode 0\(String(mode, radix: 8))"
        let close = "sudo systemctl edit waymark.socket && \(Remedy.restartSocket)  # [Socket] SocketMode=0660"
        warning(.socketOpen, if: mode & 0o002 != 0, path, open)
            .meaning("any program can read the wearer's position")
            .fix(isSystem ? close : edit("service.socket_mode = \"0660\""))
    }

    private func denial(_ socket: SocketFacts) -> Refusal {
        guard let group = socket.group, !socket.isForRootAlone else { return ("permission denied", asRoot) }
        if socket.isMember { return Membership.newSession(group) }
        // A member of the group for changes may assume that membership also permits connecting.
        let alone = changes.map { $0.isMember ? "; group \($0.group) permits changes, but not to connect" : "" }
        return ("permission denied: access requires group \(group)" + (alone ?? ""), Remedy.join(group))
    }

    @Rules func daemonRules(_ daemon: DaemonFacts) -> [Finding] {
        let name = "waymarkd"
        let isSame = daemon.version == version
        let versions = "version \(daemon.version), but this command is version \(version)"
        ok(.daemonVersion, if: isSame, name, "version \(version), same as this command")
        warning(.daemonOtherVersion, if: !isSame, name, versions)
            .meaning("one was upgraded while the other kept running; their protocols may not match").fix(Remedy.restart)
        let reasons = daemon.reasons.isEmpty ? "" : ": \(Amount.list(daemon.reasons))"
        let isLocalized = daemon.state == "localized"
        ok(.daemonState, if: isLocalized, name, "localized")
        warning(.daemonLimited, if: !isLocalized, name, "state \(daemon.state)\(reasons)")
            .meaning(daemon.advice.first ?? "poses are less accurate than possible")
            .fix("waymark wait --horizontal 10 --yaw 15")
        let demonstration = "demonstration with simulated poses: the board is not checked"
        ok(.daemonDemonstration, if: daemon.isDemonstration, name, demonstration)
        let isUnexpected = daemon.isSimulation && configuration?.isSimulation != true && !daemon.isDemonstration
        warning(.daemonSimulation, if: isUnexpected, name, "running the simulated walk")
            .meaning("poses are simulated; no sensor is read").fix(Remedy.restart)
        failure(.daemonNoPoses, if: daemon.poses <= 0, name, "no poses are published")
            .meaning("the accelerometer or gyroscope delivers no data; see the findings on sensors")
            .fix("waymark devices")
        // The sensors of one device share one counter of dropped samples, so it is reported once.
        for (index, stream) in streams.enumerated() {
            let isCounted = streams.prefix(index).contains { $0.device == stream.device && $0.dropped > 0 }
            let dropped = "\(stream.dropped) samples were dropped before the estimator"
            warning(.daemonSlow, if: stream.dropped > 0 && !isCounted, stream.device, dropped)
                .meaning("the CPU was overloaded or blocked for seconds").fix("systemd-cgtop -n 3 --order=cpu")
        }
        warning(.daemonNoRing, name, daemon.ringProblem)
            .meaning("render threads cannot read poses from shared memory; all other clients are served")
            .fix("journalctl -u waymarkd -g 'pose ring'")
        for copy in daemon.damagedPlaces {
            let damage = "the database of places was damaged; \(copy.places) places were recovered"
            let delete = "sudo sh -c \("rm -f \(copy.path.shellQuoted)*".shellQuoted)"
            warning(.daemonDamagedPlaces, if: copy.isComplete, copy.path, damage + ", all that it held")
                .meaning("the copy is no longer needed; if this happens again, the disk may be failing").fix(delete)
            warning(.daemonDamagedPlaces, if: !copy.isComplete, copy.path, damage + ", and others could not be read")
                .meaning("places, favorites, filters or anchors are missing, and the disk may be failing")
                .fix("waymark places import FILE  # again what is missing; then: \(delete)")
        }
        for plan in daemon.damagedPlans {
            let delete = plan.hasSuffix(".damaged") ? "; then: sudo rm -f \(plan.shellQuoted)" : ""
            warning(.daemonDamagedPlan, plan, "the file of a floor plan was damaged; the plan is not used")
                .meaning("positions do not follow this plan, and the disk may be failing")
                .fix("waymark plan import --id ID FILE  # the same plan again\(delete)")
        }
        if let refusal = daemon.refusal {
            warning(.daemonKeepsData, name, "no samples could be recorded: \(refusal.text)")
                .meaning("scales, jitter and mount were not checked").fix(remedy(refusal.cause))
        }
    }

    private func remedy(_ cause: DaemonFacts.Refusal.Cause) -> String {
        switch cause {
        case .permission:
            // The fix names two alternatives. The second, a single check as root, is for users who only read poses and
            // should not get further permissions.
            guard let remedy = changes?.refusal?.remedy else { return asRoot }
            return remedy + (remedy.contains("#") ? "; once: " : "  # once: ") + asRoot
        case .recording: return "waymark status  # stop the recording shown there, then run the doctor again"
        case .room: return "df -h /var/tmp /tmp /dev/shm  # free space in one of them"
        case .other: return "journalctl -u waymarkd -n 30"
        }
    }
}
