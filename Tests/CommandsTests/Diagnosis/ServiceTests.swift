import Commands
import Testing

@Suite("settings, service, socket and daemon")
struct ServiceTests {
    @Test("a good board has no trouble, and every group says so")
    func good() {
        let diagnosis = Diagnosis(of: Boards.good)
        #expect(Boards.troubles { _ in } == [:])
        #expect(diagnosis.level == .ok)
        #expect(Set(diagnosis.findings.map(\.code.group)) == Set(FindingCode.groups))
    }

    @Test("of what was not looked at nothing is said")
    func nothing() { #expect(Diagnosis(of: BoardFacts(version: "1")).findings == []) }

    @Test("each mistake in the settings is a failure with its line")
    func invalid() {
        let findings = Boards.findings {
            $0.configuration?.problems = ["/etc/a.toml:3:1: unknown key", "/etc/a.toml:9: b"]
        }
        let mistakes = findings.filter { $0.code == .configurationInvalid }
        #expect(mistakes.map(\.what) == ["/etc/a.toml:3:1: unknown key", "/etc/a.toml:9: b"])
        #expect(mistakes.allSatisfy { $0.level == .failure && $0.remedy!.contains("waymarkd --check-config") })
    }

    @Test("settings that may not be read are a warning, and so is what they switch off")
    func choices() {
        #expect(Boards.troubles { $0.configuration?.isUnreadable = true } == [.configurationUnreadable: .warning])
        #expect(Boards.troubles { $0.configuration?.isSimulation = true } == [.configurationSimulation: .warning])
        #expect(Boards.troubles { $0.configuration?.readsSensors = false } == [.configurationNoSensors: .warning])
        #expect(Boards.troubles { $0.configuration?.readsReceiver = false } == [.configurationNoReceiver: .warning])
    }

    @Test("a service that has failed is named with its cause")
    func failed() throws {
        let wrong = UnitFacts(
            name: "waymarkd.service", load: "loaded", active: "failed", result: "exit-code", exitStatus: 78)
        let findings = Boards.findings { $0.unit = wrong }
        let failed = try #require(findings.first { $0.code == .serviceFailed })
        #expect(failed.level == .failure && failed.what.contains("settings"))
        #expect(failed.remedy == "waymarkd --check-config")
        let killed = UnitFacts(name: "waymarkd.service", load: "loaded", active: "failed", result: "watchdog")
        #expect(Boards.findings { $0.unit = killed }.contains { $0.what.contains("watchdog") })
    }

    @Test("a stopped, disabled, masked, missing or restarted service has its own finding")
    func units() {
        func unit(
            _ load: String = "loaded", _ active: String = "active", file: String = "enabled", restarts: Int = 0
        ) -> UnitFacts {
            UnitFacts(name: "waymarkd.service", load: load, active: active, file: file, restarts: restarts)
        }
        let cases: [(UnitFacts, FindingCode, Finding.Level)] = [
            (unit("loaded", "inactive"), .serviceStopped, .warning),
            (unit(file: "disabled"), .serviceDisabled, .warning),
            (unit("masked", "inactive"), .serviceMasked, .failure),
            (unit("not-found", "inactive"), .serviceMissing, .warning),
            (unit(restarts: 3), .serviceRestarted, .warning),
        ]
        for (unit, code, level) in cases { #expect(Boards.troubles { $0.unit = unit } == [code: level]) }
        let stopped = Boards.troubles {
            $0.unit = unit("loaded", "inactive")
            $0.daemon = nil
        }
        #expect(stopped == [.serviceStopped: .failure])
    }

    @Test("each reason why no client can connect has its own finding")
    func sockets() {
        let cases: [(SocketFacts.Outcome, FindingCode)] = [
            (.missing, .socketMissing), (.refused, .socketStale), (.denied, .socketDenied),
            (.notASocket, .socketOther), (.mute, .socketMute), (.other("strange"), .socketForeign),
            (.full(128), .socketFull),
        ]
        for (outcome, code) in cases {
            let troubles = Boards.troubles {
                $0.socket = SocketFacts(path: "/run/waymark/waymark.sock", outcome: outcome)
                $0.daemon = nil
            }
            #expect(troubles == [code: .failure])
        }
    }

    @Test("a user without access is advised to join the group, or a member to begin a new session")
    func groups() {
        var socket = SocketFacts(path: "/run/waymark/waymark.sock", outcome: .denied)
        socket.group = "waymark"
        func remedy() -> String? { Boards.findings { $0.socket = socket }.first { $0.code == .socketDenied }?.remedy }
        #expect(remedy()?.hasPrefix("sudo usermod -aG waymark") == true)
        socket.isMember = true
        #expect(remedy() == "newgrp waymark")
        socket.isForRootAlone = true
        #expect(remedy() == "sudo waymark doctor")
        socket.isMember = false
        #expect(remedy() == "sudo waymark doctor")
    }

    @Test("a daemon of another version, without poses, limited, simulated or too slow is reported")
    func daemon() {
        #expect(Boards.troubles { $0.daemon?.version = "1.2.2" } == [.daemonOtherVersion: .warning])
        #expect(Boards.troubles { $0.daemon?.poses = 0 } == [.daemonNoPoses: .failure])
        #expect(Boards.troubles { $0.daemon?.state = "limited" } == [.daemonLimited: .warning])
        #expect(Boards.troubles { $0.daemon?.isSimulation = true } == [.daemonSimulation: .warning])
        let ofDemonstration = Boards.findings {
            $0.daemon?.isSimulation = true
            $0.daemon?.isDemonstration = true
        }
        #expect(ofDemonstration.filter { $0.code == .daemonDemonstration }.map(\.level) == [.ok])
        #expect(ofDemonstration.allSatisfy { $0.code != .daemonSimulation })
        #expect(Boards.troubles { $0.streams[0].dropped = 7 } == [.daemonSlow: .warning])
    }

    @Test("samples dropped by a device are reported once, although it serves as two sensors")
    func dropped() {
        let findings = Boards.findings {
            $0.streams[0].dropped = 7
            $0.streams[1].dropped = 7
        }
        #expect(findings.filter { $0.code == .daemonSlow }.count == 1)
    }

    @Test("a pose ring that is missing is reported with the daemon's reason")
    func ringless() {
        let findings = Boards.findings { $0.daemon?.ringProblem = "no memory" }.filter { $0.level != .ok }
        #expect(findings.map(\.code) == [.daemonNoRing] && findings.first?.what == "no memory")
    }

    @Test("the remedy depends on the reason why samples are refused")
    func refusals() {
        let cases: [(DaemonFacts.Refusal.Cause, String)] = [
            (.permission, "sudo usermod -aG waymark-change"), (.recording, "waymark status"), (.room, "df -h"),
            (.other, "journalctl -u waymarkd"),
        ]
        for (cause, remedy) in cases {
            let findings = Boards.findings { $0.daemon?.refusal = DaemonFacts.Refusal(cause, "it may not") }
            let problems = findings.filter { $0.level != .ok }
            #expect(problems.map(\.code) == [.daemonKeepsData])
            #expect(problems.allSatisfy { $0.remedy?.hasPrefix(remedy) == true && $0.what.contains("it may not") })
        }
    }

    @Test("paths stand in remedies as a shell takes them")
    func quoted() {
        func remedy(_ path: String) -> String? {
            Boards.findings {
                $0.socket = SocketFacts(path: path, outcome: .refused)
                $0.configuration?.chosen = "/my settings.toml"
            }.first { $0.code == .socketStale }?.remedy
        }
        let start = "waymarkd --config '/my settings.toml' --socket"
        #expect(remedy("/run/a b") == "rm '/run/a b' && \(start) '/run/a b'")
        #expect(remedy("/run/$(id)'s") == "rm '/run/$(id)'\\''s' && \(start) '/run/$(id)'\\''s'")
        #expect(remedy("/run/a.sock") == "rm /run/a.sock && \(start) /run/a.sock")
    }

    @Test("settings that are not the system's are checked by their own name")
    func chosen() {
        let findings = Boards.findings {
            $0.configuration?.chosen = "/home/me/w.toml"
            $0.configuration?.file = "/home/me/w.toml"
            $0.configuration?.problems = ["a"]
            $0.calibrations?.isApplied = false
        }
        let check = findings.first { $0.code == .configurationInvalid }
        #expect(check?.remedy?.contains("waymarkd --check-config --config /home/me/w.toml") == true)
        let unused = findings.first { $0.code == .calibrationUnused }
        #expect(unused?.remedy?.contains("sudoedit /home/me/w.toml") == true)
    }
}
