import Foundation
import Testing
import WaymarkClient

/// Members that later versions of the daemon have, that older ones lack, and that nobody should send.
@Suite struct MotionTests {
    private static let member = #""motion":{"mode":"foot","probability":0.75}"#

    private static func pose(_ motion: String) throws -> Pose {
        let text = FakeDaemon.pose.replacing(member, with: motion)
        #expect(motion == member || text != FakeDaemon.pose)
        return try JSONDecoder().decode(Pose.self, from: Data(text.utf8))
    }

    @Test(
        "every mode is read, and what a later version adds is passed over",
        arguments: [
            (#"{"mode":"rest","probability":0}"#, Motion(mode: .rest, probability: 0)),
            (#"{"mode":"foot","probability":1}"#, Motion(mode: .foot, probability: 1)),
            (#"{"mode":"vehicle","probability":0.5,"since":3}"#, Motion(mode: .vehicle, probability: 0.5)),
        ])
    func modes(text: String, expected: Motion) throws {
        #expect(try Self.pose(#""motion":"# + text).motion == expected)
    }

    @Test("the modes are those of both interfaces")
    func words() throws {
        for name in ["Pose", "Status"] {
            let types = try InterfaceTypes(ofDaemon: name)
            for word in ["rest", "foot", "vehicle", "swim"] {
                let value = JSON.object(["mode": .string(word), "probability": .integer(1)])
                let problems = types.problems(value, .named("Motion"), at: "motion")
                #expect(problems.isEmpty == (MotionMode(rawValue: word) != nil))
            }
        }
    }

    @Test("a pose of a daemon that knows no motion has none", arguments: [#""later":1"#, #""motion":null"#])
    func older(text: String) throws {
        let pose = try Self.pose(text)
        #expect(pose.motion == nil && pose.sequence == 7 && pose.heading == 12.5)
    }

    @Test(
        "a motion that is none is an error, as any other member that does not fit",
        arguments: [
            #"{}"#, #"{"mode":"foot"}"#, #"{"probability":1}"#, #"{"mode":"swim","probability":1}"#,
            #"{"mode":"foot","probability":"1"}"#, #"{"mode":0,"probability":1}"#, "7", "[]", #""foot""#,
        ])
    func hostile(text: String) {
        #expect(throws: DecodingError.self) { try Self.pose(#""motion":"# + text) }
    }
}
