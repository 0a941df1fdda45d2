import Configuration
import DaemonFixtures
import Commands
import TestTools
import Testing
import WaymarkClient

@Suite("Calibrations of a running daemon, for the doctor", .timeLimit(.minutes(2)))
struct CalibrationSurveyTests {
    private let folder = ScratchFolder()

    private func facts(_ answers: [String: StandInDaemon.Answer]) throws -> CalibrationFacts? {
        var all: [String: StandInDaemon.Answer] = [
            "Status.ListDevices": .reply(#"{"devices":[\#(SampleMessage.device)]}"#)
        ]
        all.merge(answers) { $1 }
        let daemon = StandInDaemon(all)
        var settings = Configuration()
        settings.state.directory = folder.path
        return try withExtendedLifetime(daemon) {
            let client = try Waymark.Client(path: daemon.path)
            return CalibrationSurvey(settings: settings).facts(client, try client.status())
        }
    }

    private func entry(_ sensor: String, _ more: String) -> String {
        #"{"sensor":"\#(sensor)","device":"imu","identity":"","inForce":true,"time":1,"age":60,"origin":"calibrate","#
            + #""kind":"mag","version":"1","noise":[],"samples":9,"history":0\#(more)}"#
    }

    private func list(_ entries: String...) -> StandInDaemon.Answer {
        .reply(#"{"calibrations":[\#(entries.joined(separator: ","))]}"#)
    }

    @Test("The bias of the gyroscope is the length of its vector, and as uncertain as its worst axis")
    func bias() throws {
        let residuals =
            #"{"sensor":"accelerometer","bias":[9,9,9],"standardDeviation":[1,1,1]},"#
            + #"{"sensor":"gyroscope","bias":[0.03,0,-0.04],"standardDeviation":[0.001,0.003,0.002]}"#
        let found = try facts([
            "Status.GetStatus": .reply(SampleMessage.status(residuals: residuals)), "Calibration.List": list(),
        ])
        #expect(found?.gyroscopeBias == .init(magnitude: 0.05, standardDeviation: 0.003))
        let none = try facts(["Status.GetStatus": .reply(SampleMessage.status()), "Calibration.List": list()])
        #expect(none != nil && none?.gyroscopeBias == nil)
    }

    @Test("A calibration of another mount matrix is one, unless it was compared with other sensors")
    func mount() throws {
        let (same, other) = ("[1,0,0,0,1,0,0,0,1]", "[0,1,0,-1,0,0,0,0,1]")
        let found = try facts([
            "Status.GetStatus": .reply(SampleMessage.status()),
            "Calibration.List": list(
                entry("gyroscope", #","mountMatrix":\#(same)"#), entry("accelerometer", #","mountMatrix":\#(other)"#),
                entry("mount", ""),
                entry("magnetometer", #","mountMatrix":\#(other),"rotation":[1,0,0,0,1,0,0,0,1]"#)),
        ])
        #expect(found?.entries.map(\.isOfOtherMount) == [false, true, nil, nil])
        #expect(found?.entries.map(\.age) == [60, 60, 60, 60] && found?.entries.first?.isInForce == true)
    }

    @Test("Nothing is concluded from a list that the daemon does not give")
    func refused() throws {
        #expect(try facts(["Status.GetStatus": .reply(SampleMessage.status())]) == nil)
    }
}
