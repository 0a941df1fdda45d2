import Bridges
import JSON
import Testing
import WaymarkInterface

@Suite("Reports to gpsd's clients")
struct GPSDReportTests {
    private let report = GPSDReportWriter(version: "1.2.3", rate: 5)

    /// The one JSON object of a line that ends as gpsd's do.
    private func node(_ line: [UInt8]) throws -> JSONNode {
        #expect(line.suffix(2) == [13, 10])
        return try JSONReader.read(Array(line.dropLast(2)))
    }

    @Test("TPV has position, velocity and the errors that hold 95 %")
    func position() throws {
        var receiver = ReceiverView()
        receiver.geoidSeparation = 48
        let tpv = try node(report.positionReport(samplePose(), receiver: receiver))
        #expect(tpv["class"]?.string == "TPV" && tpv["device"]?.string == "waymark")
        #expect(tpv["mode"]?.number == 3 && tpv["status"]?.number == 6)
        #expect(tpv["time"]?.string == "2026-06-21T10:20:30.500000Z")
        #expect(tpv["lat"]?.number == 47.5 && tpv["lon"]?.number == -8.25)
        #expect(tpv["altHAE"]?.number == 460 && tpv["altMSL"]?.number == 412 && tpv["geoidSep"]?.number == 48)
        // A radius of 1.51 m that holds 68 % is a standard deviation of 1 m on each axis.
        #expect(tpv["epx"]?.number == 1.96 && tpv["epy"]?.number == 1.96 && tpv["eph"]?.number == 2.448)
        #expect(tpv["epv"]?.number == 3.92)
        #expect(tpv["track"]?.number == 90 && tpv["speed"]?.number == 1 && tpv["climb"]?.number == 0.25)
        #expect(tpv["eps"]?.number == 0.196 && tpv["epc"]?.number == 0.196)
    }

    @Test("Heights above the sea are by EGM96 if the receiver gives no separation, and absent while that is not known")
    func geoid() throws {
        var receiver = ReceiverView()
        let tpv = try node(report.positionReport(samplePose(), receiver: receiver))
        // EGM96 is 50.175 m high at the pose.
        #expect(tpv["geoidSep"]?.number == 50.175 && tpv["altMSL"]?.number == 409.825)
        receiver.isSeparationAwaited = true
        let awaiting = try node(report.positionReport(samplePose(), receiver: receiver))
        #expect(awaiting["altHAE"]?.number == 460 && awaiting["altMSL"] == nil && awaiting["geoidSep"] == nil)
        receiver.geoidSeparation = 48
        #expect(try node(report.positionReport(samplePose(), receiver: receiver))["altMSL"]?.number == 412)
    }

    @Test("The status names dead reckoning without a recent fix, and a simulation")
    func status() throws {
        let reckoned = samplePose(tracking: .inferred, sources: [.inertial, .steps])
        #expect(try node(report.positionReport(reckoned, receiver: ReceiverView()))["status"]?.number == 5)
        var simulated = ReceiverView()
        simulated.isSimulated = true
        #expect(try node(report.positionReport(samplePose(), receiver: simulated))["status"]?.number == 8)
    }

    @Test("Without a position, or a pose, the mode is that of no fix and nothing else is claimed")
    func noFix() throws {
        for pose in [nil, samplePose(tracking: .invalid)] {
            let tpv = try node(report.positionReport(pose, receiver: ReceiverView()))
            #expect(tpv["mode"]?.number == 1)
            #expect(tpv["lat"] == nil && tpv["epx"] == nil && tpv["status"] == nil && tpv["speed"] == nil)
        }
    }

    @Test("ATT has a heading only from true north, and is left out without an orientation")
    func attitude() throws {
        let line = try #require(report.attitudeReport(samplePose()))
        let att = try node(line)
        #expect(att["class"]?.string == "ATT" && att["heading"]?.number == 45)
        #expect(att["pitch"]?.number == 5 && att["roll"]?.number == -3)
        let magnetic = try node(try #require(report.attitudeReport(samplePose(reference: .magneticNorth))))
        #expect(magnetic["heading"] == nil && magnetic["pitch"]?.number == 5)
        #expect(report.attitudeReport(samplePose(tracking: .invalid)) == nil)
    }

    @Test("The greeting, the device and the policy are as clients expect them")
    func server() throws {
        let version = try node(report.versionReport())
        #expect(version["class"]?.string == "VERSION" && version["proto_major"]?.number == 3)
        let devices = try node(report.devicesReport(activated: UTCTime(nanoseconds: 0)))
        let device = try #require(devices["devices"]?.elements.first { _ in true })
        #expect(device["path"]?.string == "waymark" && device["activated"]?.string == "1970-01-01T00:00:00.000000Z")
        var watch = GPSDRequest.Watch()
        watch.isEnabled = true
        watch.nmea = true
        let reply = try node(report.watchReport(watch))
        #expect(reply["enable"]?.bool == true && reply["json"]?.bool == false && reply["nmea"]?.bool == true)
    }

    @Test("POLL holds the pose and the receiver's sky as it came")
    func poll() throws {
        var receiver = ReceiverView()
        receiver.sky = Array("{\"class\":\"SKY\",\"satellites\":[{\"PRN\":7}]}".utf8)
        let poll = try node(report.pollReport(samplePose(), receiver: receiver))
        #expect(poll["active"]?.number == 1)
        #expect(poll["tpv"]?.elements.first { _ in true }?["lat"]?.number == 47.5)
        #expect(poll["sky"]?.elements.first { _ in true }?["class"]?.string == "SKY")
        #expect(report.skyReport(receiver) == Array("{\"class\":\"SKY\",\"satellites\":[{\"PRN\":7}]}\r\n".utf8))
        #expect(report.skyReport(ReceiverView()) == nil)
    }
}
