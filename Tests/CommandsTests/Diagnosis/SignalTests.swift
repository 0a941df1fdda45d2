import Commands
import Geometry
import Testing

/// Boards worn upside down for which the magnetic field decides nothing, and a word of the reason.
private let undecidedBoards: [(String, @Sendable (inout BoardFacts) -> Void)] = [
    ("a position", { $0.receiver?.position = nil }), ("a position", { $0.receiver = nil }),
    ("magnetometer", { $0.streams[2].summary = nil }),
    (
        "magnetic equator",
        { $0.receiver?.position = GeodeticPosition(latitudeDegrees: 9, longitudeDegrees: 0, ellipsoidalHeight: 0) }
    ),
    ("strength", { $0.streams[2].summary = Boards.summary(rate: 50, mean: Vector3(0, -25, -12)) }),
    ("dips 0°", { $0.streams[2].summary = Boards.summary(rate: 50, mean: Vector3(20, 0, -43)) }),
]

@Suite("samples: rates, stamps, scales and the mount")
struct SignalTests {
    @Test("a summary has the rate, the jitter, the gaps and the means of the samples")
    func summary() throws {
        var stamps = (0..<100).map { Int64($0) * 5_000_000 }
        let values = stamps.indices.map { Vector3(3, 4, 0) * ($0 % 2 == 0 ? 1.1 : 0.9) }
        let even = try #require(SampleSummary(nanoseconds: stamps, values: values))
        #expect(abs(even.rate - 200) < 1e-9 && even.jitter == 0 && even.gaps == 0 && !even.isStuck)
        #expect(abs(even.meanNorm - 5) < 1e-9 && abs(even.normStandardDeviation - 0.5) < 1e-9)
        #expect((even.mean - Vector3(3, 4, 0)).norm < 1e-9)
        for place in 50..<100 { stamps[place] += 50_000_000 }
        #expect(SampleSummary(nanoseconds: stamps, values: values)?.gaps == 1)
    }

    @Test("stamps that stand still or run backwards have no summary")
    func backwards() {
        let values = [Vector3](repeating: .zero, count: 5)
        #expect(SampleSummary(nanoseconds: [5, 4, 3, 2, 1], values: values) == nil)
        #expect(SampleSummary(nanoseconds: [1, 1, 1, 1, 1], values: values) == nil)
        #expect(SampleSummary(nanoseconds: [.min, 0, 0, 0, .max], values: values) == nil)
        #expect(SampleSummary(nanoseconds: [.min, -1, 0, 1, .max], values: values) == nil)
        #expect(SampleSummary(nanoseconds: [1, 2], values: Array(values.prefix(2))) == nil)
    }

    @Test("a rate below the driver's word is a warning, below half of it a failure")
    func slow() {
        let up = Vector3(0, 9.81, 0)
        #expect(
            Boards.troubles { $0.streams[0].summary = Boards.summary(rate: 150, mean: up) } == [.signalSlow: .warning])
        #expect(
            Boards.troubles { $0.streams[0].summary = Boards.summary(rate: 80, mean: up) } == [.signalSlow: .failure])
        #expect(
            Boards.troubles { $0.streams[0].summary = Boards.summary(rate: 400, mean: up) } == [.signalFast: .warning])
        // 111.1 Hz where 104 were asked for is rounding; 25 is not.
        #expect(Boards.troubles { $0.streams[2].requestedRate = 52 } == [:])
        #expect(Boards.troubles { $0.streams[2].requestedRate = 100 } == [.signalOtherRate: .warning])
    }

    @Test("a rate that the driver refuses is a warning with the error, and not a second one about the rate")
    func refused() throws {
        let problem = "the driver refuses the rate 200: writing iio:device0 sampling_frequency: Invalid argument"
        func change(_ facts: inout BoardFacts) {
            facts.streams[0].rateProblem = problem
            facts.streams[0].requestedRate = 200
            facts.streams[0].grantedRate = 50
            facts.streams[0].summary = Boards.summary(rate: 50, mean: Vector3(0, 9.81, 0))
        }
        #expect(Boards.troubles(change) == [.signalRateRefused: .warning])
        let finding = try #require(Boards.findings(change).first { $0.code == .signalRateRefused })
        #expect(finding.what == problem && finding.meaning.contains("50"))
    }

    @Test("a sensor whose buffer lacks a trigger is polled with a warning that names the module")
    func withoutTrigger() throws {
        func change(_ facts: inout BoardFacts) {
            facts.streams[0].state = "polling"
            facts.streams[0].pollingReason = "no trigger of its own"
            facts.streams[0].isTriggerMissing = true
            facts.streams[0].summary = Boards.summary(rate: 100, mean: Vector3(0, 9.81, 0))
        }
        #expect(Boards.troubles(change) == [.signalPolled: .warning])
        let finding = try #require(Boards.findings(change).first { $0.code == .signalPolled })
        #expect(finding.what.contains("no trigger of its own") && finding.remedy?.contains("iio-trig-hrtimer") == true)
    }

    @Test("a trigger is no remedy for a sensor whose buffer fails otherwise, or that has none")
    func otherwisePolled() throws {
        let reasons = ["setting up the buffer of imu: Permission denied", nil]
        for reason in reasons {
            let findings = Boards.findings {
                $0.streams[0].state = "polling"
                $0.streams[0].pollingReason = reason
                $0.streams[0].clock = "host"
                $0.streams[0].summary = Boards.summary(rate: 100, mean: Vector3(0, 9.81, 0))
                $0.streams[0].summary?.jitter = 0.5
            }
            let found = findings.filter { [.signalPolled, .signalJitter].contains($0.code) }
            #expect(found.count == (reason == nil ? 1 : 2))
            #expect(found.allSatisfy { $0.remedy?.contains("hrtimer") == false }, "\(found)")
        }
    }

    @Test("what samples a sensor is said with the sensor")
    func sampling() {
        let findings = Boards.findings {
            $0.streams[0].sampling = "sampled by the hrtimer trigger waymark-accelerometer"
        }
        let whats = findings.filter { $0.code == .deviceFound }.map(\.what)
        #expect(whats.contains("streaming, sampled by the hrtimer trigger waymark-accelerometer"))
    }

    @Test("what is polled is held against the rate at which it is polled, at most 100 Hz")
    func polled() {
        func troubles(_ rate: Double, wished: Double = 400) -> [FindingCode: Finding.Level] {
            Boards.troubles {
                $0.streams[0].state = "polling"
                $0.streams[0].requestedRate = wished
                $0.streams[0].grantedRate = wished
                $0.streams[0].summary = Boards.summary(rate: rate, mean: Vector3(0, 9.81, 0))
            }
        }
        #expect(troubles(100) == [:])
        #expect(troubles(50, wished: 50) == [:])
        #expect(troubles(80) == [.signalSlow: .warning])
        #expect(troubles(40) == [.signalSlow: .failure])
    }

    @Test("a rate that is too low is fixed by a setting and a restart, which activates it")
    func remedy() throws {
        let findings = Boards.findings {
            $0.streams[0].summary = Boards.summary(rate: 80, mean: Vector3(0, 9.81, 0))
        }
        let slow = try #require(findings.first { $0.code == .signalSlow })
        let commands = try #require(slow.remedy?.split(separator: "#").first)
        #expect(commands.contains("sudo dmesg") && commands.contains("sudo systemctl restart waymarkd"))
    }

    @Test("without samples the counts of the device tell its rate")
    func counted() {
        #expect(Boards.troubles { $0.streams[2].summary = nil } == [:])
        let troubles = Boards.troubles {
            $0.streams[2].summary = nil
            $0.streams[2].countedRate = 10
        }
        #expect(troubles == [.signalSlow: .failure])
    }

    @Test("jitter, gaps and a stuck sensor are distinguished")
    func uneven() {
        var facts = Boards.good
        let up = Vector3(0, 9.81, 0)
        let jittery = (0..<600).map { Int64($0) * 5_000_000 + ($0 % 2 == 0 ? 0 : 1_500_000) }
        let values = jittery.indices.map { up + Vector3(0.01, 0, 0) * ($0 % 2 == 0 ? 1 : -1) }
        facts.streams[0].summary = SampleSummary(nanoseconds: jittery, values: values)
        #expect(Diagnosis(of: facts).findings.filter { $0.level != .ok }.map(\.code) == [.signalJitter])
        let gappy = (0..<600).map { Int64($0 < 300 ? $0 : $0 + 10) * 5_000_000 }
        facts.streams[0].summary = SampleSummary(nanoseconds: gappy, values: values)
        #expect(Diagnosis(of: facts).findings.filter { $0.level != .ok }.map(\.code) == [.signalGaps])
        #expect(
            Boards.troubles { $0.streams[0].summary = Boards.summary(rate: 200, mean: up, noise: 0) }
                == [.signalStuck: .failure])
    }

    @Test("gravity twice as strong is a wrong scale, a tenth off is no calibration")
    func gravity() {
        func troubles(_ force: Double) -> [FindingCode: Finding.Level] {
            Boards.troubles { $0.streams[0].summary = Boards.summary(rate: 200, mean: Vector3(0, force, 0)) }
        }
        #expect(troubles(19.6) == [.scaleGravityWrong: .failure])
        #expect(troubles(1.0) == [.scaleGravityWrong: .failure])
        var facts = Boards.good
        facts.streams[0].summary = Boards.summary(rate: 200, mean: Vector3(0, 0.99, 0))
        #expect(Diagnosis(of: facts).findings.contains { $0.meaning.hasPrefix("the unit is g, not m/s²") })
        #expect(troubles(10.8) == [.scaleGravityOff: .warning])
        #expect(troubles(9.6) == [:])
    }

    @Test("a turn rate at rest is a bias, or a wrong scale; in motion nothing is said of it")
    func turnRate() {
        func troubles(_ rate: Double, noise: Double = 0.01) -> [FindingCode: Finding.Level] {
            Boards.troubles {
                $0.streams[0].summary = Boards.summary(rate: 200, mean: Vector3(0, 9.81, 0), noise: noise)
                $0.streams[1].summary = Boards.summary(rate: 200, mean: Vector3(rate, 0, 0))
            }
        }
        #expect(troubles(0.2) == [.scaleTurnRateOff: .warning])
        #expect(troubles(2.0) == [.scaleTurnRateWrong: .failure])
        #expect(troubles(2.0, noise: 2) == [:])
    }

    @Test("the field is compared with the model at the position, or with the range on earth if the position is unknown")
    func field() {
        func troubles(_ strength: Double, placed: Bool = true) -> [FindingCode: Finding.Level] {
            Boards.troubles {
                $0.streams[2].summary = Boards.summary(rate: 50, mean: Vector3(0, -strength, 0))
                if !placed { $0.receiver?.position = nil }
            }
        }
        // 48.7 µT at 48° N 11.5° E in 2026.
        #expect(troubles(48) == [:])
        #expect(troubles(30) == [.scaleFieldOff: .warning])
        #expect(troubles(30, placed: false) == [:])
        #expect(troubles(90, placed: false) == [.scaleFieldOff: .warning])
        #expect(troubles(487) == [.scaleFieldWrong: .failure])
        #expect(troubles(0.487, placed: false) == [.scaleFieldWrong: .failure])
        #expect(troubles(0) == [.scaleFieldWrong: .failure])
    }

    @Test("gravity that does not point down asks to hold the board as it is worn, and then is a failure")
    func upright() {
        func troubles(_ force: Vector3, isWorn: Bool) -> [FindingCode: Finding.Level] {
            Boards.troubles {
                $0.isWorn = isWorn
                $0.streams[0].summary = Boards.summary(rate: 200, mean: force)
            }
        }
        #expect(troubles(Vector3(0, 9.81, 0), isWorn: true) == [:])
        #expect(troubles(Vector3(0, 8, 5), isWorn: true) == [:])
        #expect(troubles(Vector3(9.81, 0, 0), isWorn: false) == [.mountTilted: .warning])
        #expect(troubles(Vector3(9.81, 0, 0), isWorn: true) == [.mountTilted: .failure])
        #expect(troubles(Vector3(0, -9.81, 0), isWorn: false) == [.mountUpsideDown: .warning])
        #expect(troubles(Vector3(0, -9.81, 0), isWorn: true) == [.mountAccelerometerSign: .failure])
    }

    /// The board of the tests is at 48° N, where the field dips by 64°, and its magnetometer is a device of its own.
    private func worn(
        force: Vector3, field: Vector3, _ change: (inout BoardFacts) -> Void = { _ in }
    ) -> [Finding] {
        let findings = Boards.findings {
            $0.isWorn = true
            $0.streams[0].summary = Boards.summary(rate: 200, mean: force)
            $0.streams[2].summary = Boards.summary(rate: 50, mean: field)
            change(&$0)
        }
        return findings.filter { $0.level != .ok }
    }

    private static let (up, down) = (Vector3(0, 9.81, 0), Vector3(0, -9.81, 0))
    private static let (dipping, rising) = (Vector3(0, -43, -20), Vector3(0, 43, -20))

    @Test("upside down, the dip of the magnetic field separates a wrong mount from an accelerometer of the other sign")
    func upsideDown() throws {
        #expect(worn(force: Self.up, field: Self.dipping).isEmpty)
        let mount = worn(force: Self.down, field: Self.rising)
        #expect(mount.map(\.code) == [.mountUpsideDown])
        #expect(
            mount[0].remedy?.hasPrefix("waymark calibrate mount") == true && mount[0].meaning.contains("not the sign"))
        let sign = worn(force: Self.down, field: Self.dipping) { $0.streams[2].device = "imu" }
        #expect(sign.map(\.code) == [.mountAccelerometerSign])
        #expect(sign[0].remedy?.hasSuffix("# [iio.accelerometer] sign = -1") == true)
        #expect(!sign[0].meaning.contains("another device"))
        #expect(worn(force: Self.down, field: Self.dipping)[0].meaning.contains("another device"))
        let ownMatrix = worn(force: Self.down, field: Self.dipping) {
            $0.streams[2].device = "imu"
            $0.streams[0].mountMatrix = [1, 0, 0, 0, 1, 0, 0, 0, 1]
            $0.streams[2].mountMatrix = [0, 1, 0, 1, 0, 0, 0, 0, -1]
        }
        #expect(ownMatrix[0].meaning.contains("matrix of its own"))
        #expect(ownMatrix[0].remedy?.contains("or mount_matrix") == true)
        let turnedRound = worn(force: Self.down, field: Self.dipping) {
            $0.streams[0].sign = -1
            $0.streams[2].device = "imu"
        }
        #expect(turnedRound[0].remedy?.hasSuffix("# [iio.accelerometer] sign = 1") == true)
    }

    @Test("a field on the wrong side of an upright board is the magnetometer's mount, or both mount and sign")
    func fieldUpsideDown() {
        let other = worn(force: Self.up, field: Self.rising)
        #expect(other.map(\.code) == [.mountMagnetometer] && other[0].subject == "mag")
        #expect(other[0].remedy?.hasPrefix("waymark calibrate mag") == true)
        let same = worn(force: Self.up, field: Self.rising) { $0.streams[2].device = "imu" }
        #expect(same.map(\.code) == [.mountMagnetometer] && same[0].remedy?.contains("sign = -1") == true)
        for finding in other + same {
            #expect(finding.remedy?.hasPrefix("waymark calibrate mag") == true)
            #expect(finding.remedy?.contains("[iio.magnetometer] sign") == false)
        }
        let free = Boards.troubles { $0.streams[2].summary = Boards.summary(rate: 50, mean: Self.rising) }
        #expect(free == [:], "only a board held as worn shows it")
    }

    @Test("a magnetometer whose matrix the driver derives by rows in place of columns is named with the right matrix")
    func derivedMatrix() throws {
        // The chip with x up and y to the left; the AK8963 in it has x and y exchanged and z inverted.
        let chip = [0.0, -1, 0, 1, 0, 0, 0, 0, 1]
        let (byRows, byColumns) = ([1.0, 0, 0, 0, -1, 0, 0, 0, -1], [-1.0, 0, 0, 0, 1, 0, 0, 0, -1])
        func findings(_ matrix: [Double], _ change: (inout BoardFacts) -> Void = { _ in }) -> [Finding] {
            Boards.findings {
                for place in $0.streams.indices {
                    $0.streams[place].device = "mpu9250"
                    $0.streams[place].mountOrigin = "device"
                    $0.streams[place].mountMatrix = chip
                }
                $0.streams[2].mountMatrix = matrix
                $0.calibrations?.entries.removeAll { $0.sensor == "magnetometer" }
                change(&$0)
            }.filter { $0.code == .mountMagnetometer }
        }
        let finding = try #require(findings(byRows).first)
        #expect(finding.level == .failure && finding.subject == "mpu9250")
        #expect(
            finding.remedy?.hasSuffix("# [iio.magnetometer] mount_matrix = [-1, 0, 0, 0, 1, 0, 0, 0, -1]") == true,
            "\(finding.remedy ?? "")")
        #expect(findings(byColumns).isEmpty, "a driver that is right")
        #expect(findings(byRows) { $0.streams[2].device = "ak8963" }.isEmpty)
        #expect(findings(byRows) { $0.streams[2].mountOrigin = "configuration" }.isEmpty)
        #expect(findings(byRows) { $0.calibrations = Boards.good.calibrations }.isEmpty, "it contains the rotation")
        // Without a matrix of the chip both are the same.
        let exchanged = [0.0, 1, 0, 1, 0, 0, 0, 0, -1]
        #expect(findings(exchanged) { $0.streams[0].mountMatrix = [1, 0, 0, 0, 1, 0, 0, 0, 1] }.isEmpty)
    }

    @Test(
        "what keeps mount and sign from being separated is said",
        arguments: undecidedBoards)
    func undecided(reason: String, change: @Sendable (inout BoardFacts) -> Void) throws {
        let found = worn(force: Self.down, field: Self.dipping, change)
        let finding = try #require(found.first { $0.code == .mountUpsideDown })
        #expect(finding.level == .failure && finding.meaning.contains("cannot be decided"))
        #expect(finding.meaning.contains(reason), "\(finding.meaning)")
        #expect(finding.remedy?.contains("[iio.accelerometer] sign = -1") == true)
        #expect(!found.contains { $0.code == .mountAccelerometerSign })
    }

    @Test("a mirror image of the hardware database is assumed to mean its opposite, until gravity agrees")
    func mirrored() {
        func findings(isWorn: Bool, _ force: Vector3 = Self.up) -> [Finding] {
            Boards.findings {
                $0.isWorn = isWorn
                for place in [0, 1] { $0.streams[place].isMountMirrored = true }
                $0.streams[0].summary = Boards.summary(rate: 200, mean: force)
            }.filter { $0.code.group == "mount" && ($0.level != .ok || $0.what.contains("mirror")) }
        }
        let free = findings(isWorn: false)
        #expect(free.map(\.code) == [.mountMirrored] && free[0].level == .warning)
        #expect(free[0].remedy == "waymark doctor --worn")
        let worn = findings(isWorn: true)
        #expect(worn.map(\.code) == [.mountKnown] && worn[0].level == .ok)
        #expect(findings(isWorn: true, Vector3(9.81, 0, 0)).map(\.code) == [.mountMirrored, .mountTilted])
    }

    @Test("a mount matrix that is no rotation is a failure, none at all a warning unless the mount is calibrated")
    func mount() {
        #expect(Boards.troubles { $0.devices?.sensors[0].mountProblem = "mirrors" } == [.mountRefused: .failure])
        #expect(Boards.troubles { $0.streams[0].mountOrigin = "none" } == [:])
        let unknown = Boards.troubles {
            $0.streams[0].mountOrigin = "none"
            $0.calibrations?.entries.removeLast()
        }
        #expect(unknown == [.mountUnknown: .warning])
        let overruled = Boards.troubles {
            $0.devices?.sensors[0].mountProblem = "mirrors"
            $0.streams[0].mountOrigin = "configuration"
        }
        #expect(overruled == [:])
    }
}
