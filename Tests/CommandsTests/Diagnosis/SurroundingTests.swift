import Commands
import Geometry
import Testing

@Suite("satellites, clock, disk and calibrations")
struct SurroundingTests {
    @Test("the reasons for missing fixes are distinguished")
    func receiver() {
        func troubles(_ change: (inout ReceiverFacts) -> Void) -> [FindingCode: Finding.Level] {
            Boards.troubles {
                var receiver = ReceiverFacts(address: "localhost:2947", wanted: "")
                change(&receiver)
                $0.receiver = receiver
                // Without a position the field is compared with its range on earth.
            }
        }
        #expect(troubles { $0.problem = "cannot be reached" } == [.receiverUnreachable: .failure])
        #expect(troubles { $0.refusal = "no such device" } == [.receiverRefused: .failure])
        #expect(troubles { $0.receivers = 0 } == [.receiverMissing: .failure])
        #expect(troubles { $0.receivers = 1 } == [.receiverSilent: .failure])
        #expect(troubles { $0.reports = 4 } == [.receiverNoFix: .warning])
        let named = troubles {
            $0.receivers = 0
            $0.wanted = "/dev/ttyACM7"
        }
        #expect(named == [.receiverRefused: .failure])
    }

    @Test("the receiver's host is reported whole, also as an IPv6 address, and a drop-in is followed by a restart")
    func host() {
        func remedy(_ address: String, cutOff: Bool) -> String? {
            Boards.findings {
                $0.receiver?.address = address
                $0.receiver?.isLocal = false
                $0.receiver?.problem = cutOff ? nil : "cannot be reached"
                $0.daemon?.uptime = 60
                $0.daemon?.receiverProblem = "cannot be reached"
            }.first { $0.code == (cutOff ? .receiverCutOff : .receiverUnreachable) }?.remedy
        }
        #expect(remedy("[fd00::7]:2947", cutOff: false) == "ssh fd00::7 systemctl status gpsd.socket")
        #expect(remedy("base:2947", cutOff: false) == "ssh base systemctl status gpsd.socket")
        let allowed = remedy("[fd00::7]:2947", cutOff: true)
        #expect(allowed?.contains("&& sudo systemctl restart waymarkd  #") == true)
        #expect(allowed?.hasSuffix("IPAddressAllow=fd00::7") == true)
        #expect(remedy("10.0.0.7:2947", cutOff: true)?.hasSuffix("IPAddressAllow=10.0.0.7") == true)
        #expect(remedy("base:2947", cutOff: true)?.contains("IPAddressAllow=base") == false)
    }

    @Test("a daemon that gets no fixes from a gpsd that has them is reported, once it has had time for one")
    func cutOff() {
        func troubles(uptime: Double) -> [FindingCode: Finding.Level] {
            Boards.troubles {
                $0.daemon?.uptime = uptime
                $0.daemon?.receiverProblem = "cannot be reached: Operation not permitted"
            }
        }
        #expect(troubles(uptime: 60) == [.receiverCutOff: .failure])
        #expect(troubles(uptime: 2) == [:])
    }

    @Test("a receiver whose clock does not go on is reported, and not its age or the daemon's lack of fixes")
    func standingClock() {
        let troubles = Boards.troubles {
            $0.receiver?.standingFixes = 4
            $0.receiver?.age = 3600
            $0.daemon?.uptime = 60
            $0.daemon?.receiverProblem = "fixes arrive, but their time does not go on"
        }
        #expect(troubles == [.receiverClockStuck: .failure])
    }

    @Test("fixes without a time, or of a receiver's simulator, are used and reported")
    func timeless() {
        let troubles = Boards.troubles {
            $0.receiver?.timelessFixes = Boards.receiver.fixes
            $0.receiver?.time = nil
            $0.receiver?.age = nil
        }
        #expect(troubles == [.receiverNoTime: .warning])
        // A few at a receiver's start are none.
        #expect(
            Boards.troubles {
                $0.receiver?.fixes += 3
                $0.receiver?.timelessFixes = 3
            } == [:])
        #expect(Boards.troubles { $0.receiver?.isSimulated = true } == [.receiverSimulated: .warning])
    }

    @Test("damaged files of plans are named, with what to do")
    func damagedPlans() {
        let findings = Boards.findings { $0.daemon?.damagedPlans = ["/x/a b.plan.damaged"] }
        let found = findings.first { $0.code == .daemonDamagedPlan }
        #expect(found?.subject == "/x/a b.plan.damaged" && found?.remedy?.contains("waymark plan import") == true)
        #expect(found?.remedy?.contains("rm -f '/x/a b.plan.damaged'") == true)
    }

    @Test("damaged databases of places are reported with what was recovered, and how to be rid of them")
    func damagedPlaces() {
        for isComplete in [true, false] {
            let findings = Boards.findings {
                $0.daemon?.damagedPlaces = [("/x/a b.damaged-1", 12, isComplete)]
            }
            let found = findings.first { $0.code == .daemonDamagedPlaces }
            #expect(found?.level == .warning && found?.what.contains("12 places were recovered") == true)
            #expect(found?.remedy?.contains("places import") == !isComplete)
            #expect(found?.remedy?.contains("a b.damaged-1") == true)
        }
    }

    @Test("an unset clock, one beyond the magnetic model and one that differs from GNSS time are distinguished")
    func clock() {
        let noFix: (inout BoardFacts) -> Void = { $0.receiver = nil }
        #expect(
            Boards.troubles {
                noFix(&$0)
                $0.clock?.now = 120
            } == [.clockUnset: .failure])
        #expect(
            Boards.troubles {
                noFix(&$0)
                $0.clock?.now = -1e18
            } == [.clockUnset: .failure])
        #expect(
            Boards.troubles {
                noFix(&$0)
                $0.clock?.now = 1_925_000_000
            } == [.clockBeyondModel: .warning])
        #expect(Boards.troubles { $0.receiver?.age = 3600 } == [.clockOffset: .warning])
        #expect(Boards.troubles { $0.receiver?.age = -5 } == [.clockOffset: .warning])
        #expect(Boards.troubles { $0.clock?.isSynchronised = false } == [:])
    }

    @Test("a full, read-only, inaccessible or missing folder has its own finding")
    func disk() {
        #expect(Boards.troubles { $0.storage?.state.free = 1 << 20 } == [.diskFull: .failure])
        #expect(Boards.troubles { $0.storage?.state.hasNoNodes = true } == [.diskFull: .failure])
        #expect(Boards.troubles { $0.storage?.state.isReadOnly = true } == [.diskReadOnly: .failure])
        #expect(Boards.troubles { $0.storage?.state.exists = false } == [.diskMissing: .warning])
        #expect(Boards.troubles { $0.storage?.recordings.free = 100 << 20 } == [.diskRecordings: .warning])
        let foreign = Permission(owner: 0, group: 0, mode: 0o755)
        #expect(Boards.troubles { $0.storage?.state.permission = foreign } == [.diskDenied: .failure])
        #expect(Boards.troubles { $0.storage?.state.free = nil } == [:])
    }

    @Test("missing, old, inactive and damaged calibrations and those of another mount are distinguished")
    func calibrations() {
        #expect(Boards.troubles { $0.calibrations?.entries.remove(at: 2) } == [.calibrationMissing: .warning])
        #expect(Boards.troubles { $0.calibrations?.entries[0].age = 3e7 } == [.calibrationOld: .warning])
        #expect(Boards.troubles { $0.calibrations?.entries[0].isInForce = false } == [.calibrationUnused: .warning])
        #expect(Boards.troubles { $0.calibrations?.isApplied = false } == [.calibrationUnused: .warning])
        #expect(
            Boards.troubles { $0.calibrations?.entries[1].isOfOtherMount = true } == [.calibrationOtherMount: .warning])
        #expect(Boards.troubles { $0.calibrations?.damaged = ["/x/a.json"] } == [.calibrationDamaged: .warning])
    }

    @Test("a gyroscope's bias is reported with what the estimator knows of it, and its drift only beyond doubt")
    func gyroscopeBias() throws {
        func board(_ degrees: Double, _ standardDeviation: Double, isCalibrated: Bool = true) -> BoardFacts {
            var facts = Boards.good
            facts.calibrations?.gyroscopeBias = CalibrationFacts.GyroscopeBias(
                magnitude: Angle.radians(degrees: degrees),
                standardDeviation: Angle.radians(degrees: standardDeviation))
            if !isCalibrated { facts.calibrations?.entries.removeAll { $0.sensor == "gyroscope" } }
            return facts
        }
        func found(_ code: FindingCode, _ facts: BoardFacts) -> String? {
            Diagnosis(of: facts).findings.first { $0.code == code }?.what
        }
        #expect(
            found(.calibrationDrifted, board(1.25, 0.02)) == "the bias has drifted by 1.25°/s since the calibration")
        for (degrees, standardDeviation) in [(0.9, 0.02), (1.25, 0.5), (0, 3)] {
            #expect(found(.calibrationDrifted, board(degrees, standardDeviation)) == nil, "\(degrees)")
        }
        #expect(
            found(.calibrationMissing, board(4.8, 0.1, isCalibrated: false))
                == "not calibrated; the estimator has found a bias of 4.8°/s by itself (±0.1°/s)")
        #expect(
            found(.calibrationMissing, board(0.4, 3, isCalibrated: false))
                == "not calibrated; the estimator has not found its bias yet (±3°/s)")
    }

    @Test("without a daemon a calibration counts for the device of its name alone")
    func otherBoards() {
        func troubles(_ device: String) -> [FindingCode: Finding.Level] {
            Boards.troubles {
                $0.daemon = nil
                $0.socket = nil
                for place in $0.calibrations!.entries.indices { $0.calibrations?.entries[place].isInForce = nil }
                $0.calibrations?.entries[2].device = device
            }
        }
        #expect(troubles("mag") == [:])
        #expect(troubles(CalibrationFacts.Entry.anyDevice) == [:])
        #expect(troubles("bmm350") == [.calibrationMissing: .warning])
    }

    @Test("the reasons for missing routes are distinguished, and are no failures")
    func routing() {
        let cases: [(RoutingFacts.Outcome, FindingCode)] = [
            (.unreachable("refused"), .routingUnreachable), (.silent(seconds: 3), .routingSilent),
            (.refused("No costing method found"), .routingRefused), (.foreign("a page"), .routingForeign),
            (.noLibrary("no such file"), .routingNoLibrary),
        ]
        for (outcome, code) in cases {
            #expect(Boards.troubles { $0.routing?.outcome = outcome } == [code: .warning])
        }
        #expect(!Boards.findings { $0.routing = nil }.contains { $0.code.group == "routing" })
    }

    @Test("the settings that name a routing service are to be edited, and no daemon has to be started again for it")
    func routingRemedy() {
        let findings = Boards.findings {
            $0.configuration?.file = "/tmp/my settings.toml"
            $0.routing?.outcome = .unreachable("Could not connect")
        }
        let remedy = findings.first { $0.code == .routingUnreachable }?.remedy
        #expect(remedy?.hasPrefix("sudoedit '/tmp/my settings.toml'  # navigation.service") == true)
    }

    @Test("a navigator is missed where its unit is enabled, and by a route that one has found")
    func navigator() {
        func unit(_ active: String, file: String = "enabled") -> UnitFacts {
            UnitFacts(name: "waymark-navigator.service", load: "loaded", active: active, file: file)
        }
        for active in ["failed", "inactive"] {
            #expect(
                Boards.troubles {
                    $0.navigatorUnit = unit(active)
                    // The unit is the cause.
                    $0.daemon?.lacksNavigator = true
                } == [.routingNavigatorStopped: .warning])
            #expect(Boards.troubles { $0.navigatorUnit = unit(active, file: "disabled") } == [:])
            #expect(
                Boards.troubles {
                    $0.navigatorUnit = unit(active)
                    $0.daemon?.hasNavigator = true
                } == [:], "one runs without its unit")
        }
        for active in ["active", "activating"] {
            #expect(Boards.troubles { $0.navigatorUnit = unit(active) } == [:])
        }
        #expect(Boards.troubles { $0.daemon?.lacksNavigator = true } == [.routingNoNavigator: .warning])
    }

    @Test("every problem has a consequence and a remedy")
    func remedies() {
        var facts = Boards.good
        facts.configuration?.problems = ["a"]
        facts.socket?.outcome = .missing
        facts.kernel?.hasIIO = false
        facts.receiver?.problem = "is gone"
        facts.clock?.now = 0
        facts.storage?.state.free = 0
        facts.calibrations?.entries = []
        facts.routing?.outcome = .silent(seconds: 3)
        facts.daemon?.lacksNavigator = true
        let troubles = Diagnosis(of: facts).findings.filter { $0.level != .ok }
        #expect(troubles.count >= 8, "one for each of them")
        for finding in troubles {
            #expect(!finding.meaning.isEmpty && finding.remedy?.isEmpty == false, "\(finding.code)")
        }
    }
}
