import Commands
import Testing

@Suite("Rights of callers and of the service")
struct RightsTests {
    private let group = "waymark-change"

    private func changes(exists: Bool = true, isMember: Bool = false, group: String? = nil) -> ChangeFacts {
        var changes = ChangeFacts(group: group ?? self.group)
        changes.exists = exists
        changes.isMember = isMember
        return changes
    }

    @Test("a group that does not exist is a warning, with the command that creates it")
    func missingGroup() {
        let findings = Boards.findings { $0.changes = changes(exists: false) }.filter { $0.level != .ok }
        #expect(findings.map(\.code) == [.accessNoChangeGroup])
        #expect(findings[0].remedy == "sudo systemd-sysusers && sudo systemctl reload waymarkd")
        let own = Boards.findings { $0.changes = changes(exists: false, group: "crew") }.filter { $0.level != .ok }
        #expect(own.map(\.remedy) == ["sudo groupadd --system crew && sudo systemctl reload waymarkd"])
        #expect(Boards.troubles { $0.changes = changes(group: "") } == [:])
    }

    @Test("a missing group for aiding is a warning where the package's other groups exist")
    func missingAidGroup() {
        var old = changes()
        old.aidGroupExists = false
        let findings = Boards.findings { $0.changes = old }.filter { $0.level != .ok }
        #expect(findings.map(\.code) == [.accessNoAidGroup])
        #expect(findings[0].remedy == "sudo systemd-sysusers && sudo systemctl reload waymarkd")
        old.group = "crew"
        #expect(Boards.troubles { $0.changes = old } == [:])
    }

    @Test("a reader that may not record is named the group to join, a member of it to begin a new session")
    func reader() {
        func remedy(_ changes: ChangeFacts) -> String? {
            Boards.findings {
                $0.changes = changes
                $0.daemon?.refusal = DaemonFacts.Refusal(.permission, "permission denied")
            }.first { $0.code == .daemonKeepsData }?.remedy
        }
        #expect(
            remedy(changes())
                == "sudo usermod -aG waymark-change \"$USER\"  # then log in again; once: sudo waymark doctor")
        #expect(remedy(changes(isMember: true)) == "newgrp waymark-change  # once: sudo waymark doctor")
        #expect(remedy(changes(exists: false))?.hasPrefix("sudo systemd-sysusers") == true)
        #expect(remedy(changes(group: "")) == "sudo waymark doctor")
    }

    @Test("the text of a refused command has the reason and the command that helps")
    func refusal() {
        let join = "sudo usermod -aG waymark-change \"$USER\"  # then log in again"
        #expect(ChangeRefusal.text(changes()) == "permission denied: changes require group waymark-change: \(join)")
        #expect(
            ChangeRefusal.text(changes(isMember: true)).hasSuffix("this login session started: newgrp waymark-change"))
        #expect(ChangeRefusal.text(changes(exists: false)).contains("does not exist: sudo systemd-sysusers"))
        #expect(ChangeRefusal.text(changes(group: "")).contains("only root"))
        #expect(ChangeRefusal.text(changes(group: "a$b")).contains("-aG 'a$b'"))
    }

    @Test("the text of a refused offer names the group for aiding")
    func aidRefusal() {
        let join = "sudo usermod -aG waymark-aid \"$USER\"  # then log in again"
        #expect(
            AidRefusal.text(exists: true, isMember: false)
                == "permission denied: offering measurements requires group waymark-aid: \(join)")
        #expect(AidRefusal.text(exists: true, isMember: true).hasSuffix("newgrp waymark-aid"))
        #expect(AidRefusal.text(exists: false, isMember: false).contains("does not exist: sudo systemd-sysusers"))
    }

    @Test("of a member of the group for changes alone, the finding says that it does not permit to connect")
    func changerAlone() {
        var socket = SocketFacts(path: "/run/waymark/waymark.sock", outcome: .denied)
        socket.group = "waymark"
        let finding = Boards.findings {
            $0.socket = socket
            $0.changes = changes(isMember: true)
        }.first { $0.code == .socketDenied }
        #expect(finding?.what.hasSuffix("group waymark-change permits changes, but not to connect") == true)
        #expect(finding?.remedy == "sudo usermod -aG waymark \"$USER\"  # then log in again")
    }

    @Test(
        "a socket that every user can connect to is a warning, also where the daemon does not answer",
        arguments: [
            SocketFacts.Outcome.answered, .mute,
        ])
    func openSocket(outcome: SocketFacts.Outcome) {
        func codes(_ mode: UInt32?, path: String = "/run/waymark/waymark.sock") -> [Finding] {
            Boards.findings {
                $0.socket = SocketFacts(path: path, outcome: outcome)
                $0.socket?.mode = mode
            }.filter { $0.code == .socketOpen }
        }
        #expect(codes(0o660).isEmpty && codes(0o600).isEmpty && codes(nil).isEmpty)
        #expect(codes(0o666).map(\.level) == [.warning] && codes(0o666)[0].what.hasSuffix("mode 0666"))
        #expect(codes(0o666)[0].remedy?.contains("# [Socket] SocketMode=0660") == true)
        #expect(codes(0o662, path: "/tmp/s")[0].remedy?.contains("service.socket_mode") == true)
    }

    @Test(
        "sensors that others than the service can open are named with who they are",
        arguments: [
            (Permission(owner: 0, group: 991, mode: 0o660), "group 991"),
            (Permission(owner: 990, group: 991, mode: 0o640), "group 991"),
            (Permission(owner: 990, group: 0, mode: 0o606), "every user"),
            (Permission(owner: 1000, group: 990, mode: 0o660), "group 990"),
            (Permission(owner: 1000, group: 0, mode: 0o602), "every user"),
        ])
    func openNode(permission: Permission, who: String) {
        // The service itself may be in such a group.
        let findings = Boards.findings {
            $0.account?.groups = [990, 991]
            $0.devices?.sensors[0].node?.permission = permission
        }.filter { $0.code == .accessOpen }
        #expect(findings.map(\.subject) == ["/dev/iio:device0"])
        #expect(findings.first?.what.hasPrefix("\(who) can open") == true)
    }

    @Test("the former layout, in which the group had sensors and state, is reported by the group's name")
    func formerLayout() {
        var node = Permission(owner: 0, group: 990, mode: 0o660)
        node.groupName = "waymark"
        var folder = Permission(owner: 990, group: 990, mode: 0o750)
        folder.groupName = "waymark"
        let findings = Boards.findings {
            $0.devices?.sensors[0].node?.permission = node
            $0.devices?.sensors[1].attributes = [("buffer/enable", node), ("buffer/length", node)]
            $0.storage?.state.permission = folder
        }.filter { $0.level != .ok }
        #expect(findings.map(\.code) == [.accessOpen, .accessOpen, .diskOpen])
        #expect(findings.allSatisfy { $0.what.hasPrefix("group waymark ") && $0.level == .warning })
        #expect(findings[1].what.hasSuffix("can write buffer/enable, buffer/length in /sys"))
        #expect(findings[2].remedy == "sudo chown waymark: /var/lib/waymark && sudo chmod 0700 /var/lib/waymark")
    }

    @Test("what belongs to the service and to root alone is as it should be, and a person's own daemon is not checked")
    func closed() {
        #expect(
            Boards.troubles {
                $0.devices?.sensors[0].node?.permission = Permission(owner: 990, group: 0, mode: 0o660)
                $0.storage?.state.permission = Permission(owner: 990, group: 0, mode: 0o770)
            } == [:])
        #expect(
            Boards.troubles {
                $0.account = AccountFacts(name: "ann", user: 1000, groups: [1000], isCaller: true)
                $0.devices = nil
                $0.storage?.state.permission = Permission(owner: 1000, group: 1000, mode: 0o755)
                $0.kernel = nil
            }[.diskOpen] == nil)
    }

    @Test("recordings elsewhere are checked as well, those within the state are not")
    func recordings() {
        let open = Permission(owner: 990, group: 990, mode: 0o750)
        func troubles(_ path: String) -> [FindingCode: Finding.Level] {
            Boards.troubles {
                $0.storage?.recordings.path = path
                $0.storage?.recordings.permission = open
            }
        }
        #expect(troubles("/var/lib/waymark/recordings") == [:])
        #expect(troubles("/data/walks") == [.diskOpen: .warning])
    }
}
