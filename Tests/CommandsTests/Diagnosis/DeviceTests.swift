import Commands
import Testing

@Suite("kernel, permissions and devices")
struct DeviceTests {
    @Test("a kernel without IIO is named, and not each sensor that is missing with it")
    func bare() {
        let troubles = Boards.troubles {
            $0.kernel?.hasIIO = false
            $0.devices?.sensors = []
            $0.streams = []
        }
        #expect(troubles == [.kernelNoIIO: .failure])
    }

    @Test("a chip without a driver is named with the module to load")
    func chip() throws {
        let chip = (name: "i2c 1-0068 (mpu6050)", module: "inv_mpu6050_i2c")
        let findings = Boards.findings { $0.kernel?.unboundChips = [chip] }
        let finding = try #require(findings.first { $0.code == .kernelNoDriver })
        #expect(finding.subject == chip.name && finding.remedy!.contains("modprobe inv_mpu6050_i2c"))
    }

    @Test("what could not be looked at for want of permission is said")
    func unseen() {
        let findings = Boards.findings { $0.skippedChecks = ["the sensors' samples", "calibrations"] }
        let limited = findings.filter { $0.code == .accessLimited }
        #expect(limited.map(\.level) == [.warning] && limited.map(\.remedy) == ["sudo waymark doctor"])
        #expect(limited.allSatisfy { $0.what.contains("samples, calibrations") })
    }

    @Test("a sensor without a buffer is a warning")
    func unbuffered() {
        #expect(Boards.troubles { $0.devices?.sensors[1].isBuffered = false } == [.kernelNoBuffers: .warning])
    }

    @Test("nodes and attributes that the daemon's user may not use are named")
    func access() {
        let root = Permission(owner: 0, group: 0, mode: 0o600)
        #expect(Boards.troubles { $0.devices?.sensors[0].node?.permission = root } == [.accessNode: .failure])
        #expect(Boards.troubles { $0.devices?.sensors[0].node?.permission = nil } == [.accessNoNode: .failure])
        let findings = Boards.findings { $0.devices?.sensors[1].attributes = [("buffer/enable", root)] }
        #expect(findings.contains { $0.code == .accessAttributes && $0.what.contains("buffer/enable") })
        #expect(Boards.troubles { $0.kernel?.hasRules = false } == [.accessNoRules: .failure])
        #expect(
            Boards.troubles { $0.account = AccountFacts(name: "waymark", user: nil) } == [.accessNoAccount: .failure])
    }

    @Test("permission bits count as the kernel counts them: the owner's own come first, root needs none")
    func bits() {
        let odd = Permission(owner: 5, group: 7, mode: 0o064)
        #expect(!odd.allows(2, to: AccountFacts(name: "owner", user: 5, groups: [7])))
        #expect(odd.allows(6, to: AccountFacts(name: "member", user: 6, groups: [1, 7])))
        #expect(odd.allows(4, to: AccountFacts(name: "other", user: 6)))
        #expect(!odd.allows(2, to: AccountFacts(name: "other", user: 6)))
        #expect(odd.allows(7, to: AccountFacts(name: "root", user: 0)))
        #expect(!odd.allows(4, to: AccountFacts(name: "no such user", user: nil)))
    }

    @Test("of samples that a program offers no IIO device is missed, but the program where they do not come")
    func offered() throws {
        func troubles(_ change: (inout StreamFacts) -> Void) -> [FindingCode: Finding.Level] {
            Boards.troubles { facts in
                facts.kernel = nil
                facts.devices = nil
                facts.configuration?.readsSensors = false
                facts.configuration?.samplesSource = "phone"
                for index in facts.streams.indices {
                    facts.streams[index].device = "phone"
                    facts.streams[index].isOffered = true
                    change(&facts.streams[index])
                }
            }
        }
        #expect(troubles { _ in } == [:])
        #expect(troubles { if $0.kind == .gyroscope { $0.state = "silent" } } == [.deviceSilent: .failure])
        #expect(troubles { if $0.kind == .magnetometer { $0.state = "searching" } } == [.deviceSilent: .warning])
    }

    @Test("a missing gyroscope is a failure, a missing magnetometer a warning")
    func missing() {
        let noGyroscope = Boards.findings {
            $0.devices?.sensors[0].kinds = [.accelerometer]
            $0.streams.remove(at: 1)
        }
        #expect(noGyroscope.contains { $0.code == .deviceMissing && $0.level == .failure && $0.subject == "gyroscope" })
        let noMagnetometer = Boards.troubles {
            $0.devices?.sensors.removeLast()
            $0.streams.removeLast()
        }
        #expect(noMagnetometer == [.deviceMissing: .warning])
    }

    @Test("a name in the settings that no device has is named with those there are")
    func notCalled() throws {
        let findings = Boards.findings { $0.configuration?.deviceNames[.accelerometer] = "bmi160" }
        let finding = try #require(findings.first { $0.code == .deviceNotCalled })
        #expect(finding.level == .failure && finding.what.contains("'bmi160'") && finding.what.contains("imu"))
        #expect(finding.remedy?.hasSuffix("# [iio.accelerometer] device") == true)
        #expect(Boards.troubles { $0.configuration?.deviceNames[.accelerometer] = "iio:device0" } == [:])
        #expect(
            Boards.troubles { $0.configuration?.deviceLabels[.accelerometer] = "lid" } == [.deviceNotCalled: .failure])
        let labelled = Boards.troubles {
            $0.configuration?.deviceLabels[.accelerometer] = "lid"
            $0.devices?.sensors[0].label = "lid"
        }
        #expect(labelled == [:])
    }

    @Test("devices that are silent, failed, taken or out of reach are distinguished")
    func troubled() {
        #expect(Boards.troubles { $0.streams[2].state = "silent" } == [.deviceSilent: .failure])
        #expect(Boards.troubles { $0.streams[2].state = "failed" } == [.deviceFailed: .failure])
        #expect(Boards.troubles { $0.devices?.problem = "no route" } == [.devicesUnreachable: .failure])
        #expect(Boards.troubles { $0.devices?.sensors[0].isTaken = true } == [.deviceTaken: .failure])
        let findings = Boards.findings { $0.devices?.sensors[0].holders = ["iio-sensor-proxy (412)"] }
        #expect(findings.contains { $0.remedy == "sudo systemctl mask --now iio-sensor-proxy" })
        // As the kernel cuts it.
        let cut = Boards.findings { $0.devices?.sensors[0].holders = ["iio-sensor-prox (412)"] }
        #expect(cut.contains { $0.remedy == "sudo systemctl mask --now iio-sensor-proxy" })
        let other = Boards.findings { $0.devices?.sensors[0].holders = ["a; reboot (412)"] }
        #expect(other.contains { $0.remedy == "sudo fuser -v /dev/iio:device0" })
    }

    @Test("devices on another computer are not looked up in this kernel")
    func remote() {
        let troubles = Boards.troubles {
            $0.devices?.context = "ip:board"
            $0.kernel = nil
            $0.devices?.sensors[0].node = nil
        }
        #expect(troubles == [:])
    }
}
