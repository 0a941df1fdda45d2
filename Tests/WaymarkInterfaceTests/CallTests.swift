import Foundation
import JSON
import Testing
import TestTools
import WaymarkInterface

@Suite("Calls and errors of an interface") struct CallTests {
    private static func node(_ text: String) throws -> JSONNode { try JSONReader.read(Array(text.utf8)) }

    private static let interfaces: [(name: String, text: String, methods: [MethodTraits])] = [
        (ServiceInterface.name, ServiceInterface.text, ServiceInterface.methods),
        (PoseInterface.name, PoseInterface.text, PoseInterface.methods),
        (StatusInterface.name, StatusInterface.text, StatusInterface.methods),
        (SceneInterface.name, SceneInterface.text, SceneInterface.methods),
        (RecordingInterface.name, RecordingInterface.text, RecordingInterface.methods),
        (CalibrationInterface.name, CalibrationInterface.text, CalibrationInterface.methods),
        (PlanInterface.name, PlanInterface.text, PlanInterface.methods),
        (TerrainInterface.name, TerrainInterface.text, TerrainInterface.methods),
    ]

    @Test("the texts are those of the files, and another parser finds the same methods and parameters") func texts()
        throws
    {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Wire/WaymarkInterface")
        for (name, text, methods) in Self.interfaces {
            #expect(try String(contentsOf: folder.appending(path: "\(name).varlink"), encoding: .utf8) == text)
            let described = try InterfaceText(text: text)
            #expect(described.name == name)
            let generated = methods.map { method in
                (
                    "\(method.name)".split(separator: ".").last.map(String.init) ?? "",
                    Set(method.parameters.map { "\($0)" })
                )
            }
            #expect(Dictionary(uniqueKeysWithValues: generated) == described.methods)
        }
    }

    @Test("a call is read with its parameters") func call() throws {
        let parameters = try Self.node(#"{"time":{"sec":1,"nsec":2},"clock":"realtime"}"#)
        let call = try PoseInterface.Call(method: "GetPose", parameters: parameters)
        let time = PoseInterface.Time(sec: 1, nsec: 2)
        #expect(call == .getPose(PoseInterface.GetPose(time: time, clock: .realtime)))
        #expect(PoseInterface.GetPose.name == "org.waymark.Pose.GetPose")
        #expect(try CalibrationInterface.Call(method: "Export", parameters: Self.node("{}")) == .export(.init()))
    }

    @Test(
        "a parameter that is missing, unknown or wrong is named",
        arguments: [
            (#"{"later":1}"#, "later"), (#"{"rate":"1"}"#, "rate"), (#"{"camera":{"aspect":true}}"#, "camera.aspect"),
            (#"{"hints":1.5}"#, "hints"), (#"{"hints":1e30}"#, "hints"), ("[]", "parameters"),
        ])
    func invalid(text: String, name: String) throws {
        let node = try Self.node(text)
        #expect(throws: CallProblem.invalidParameter(name)) {
            _ = try SceneInterface.Call(method: "Subscribe", parameters: node)
        }
    }

    @Test("members of a structure in the parameters that are not known are ignored, as they were") func nested() throws
    {
        let node = try Self.node(#"{"camera":{"aspect":2,"later":3}}"#)
        let call = try SceneInterface.Call(method: "GetScene", parameters: node)
        #expect(call == .getScene(.init(camera: .init(aspect: 2))))
    }

    @Test("a missing parameter is named", arguments: [("RemoveAnchor", "id"), ("EstimateAt", "time")])
    func missing(method: String, name: String) throws {
        let node = try Self.node("{}")
        #expect(throws: CallProblem.invalidParameter(name)) {
            _ = try SceneInterface.Call(method: method, parameters: node)
        }
    }

    @Test("a method that there is not is no call") func unknownMethod() throws {
        let node = try Self.node("{}")
        #expect(throws: CallProblem.unknownMethod) { _ = try PoseInterface.Call(method: "getPose", parameters: node) }
    }

    @Test("an error is written with its parameters and read again") func failures() throws {
        let time = PoseInterface.Time(sec: 1, nsec: 2)
        let all: [any InterfaceFailure] = [
            PoseInterface.Failure.notReady(reason: "no"), PoseInterface.Failure.skippedTime,
            PoseInterface.Failure.inGap(begin: time, end: time, oldest: time, newest: time),
            SceneInterface.Failure.otherRoute(id: nil), SceneInterface.Failure.otherRoute(id: "r"),
            StatusInterface.Failure.limitExceeded(limit: OpenWord(.places), maximum: 3),
            StatusInterface.Failure.limitExceeded(limit: .unknown("later"), maximum: 3),
            ServiceInterface.Failure.permissionDenied, ServiceInterface.Failure.invalidParameter(parameter: "a.b"),
            CalibrationInterface.Failure.sensorMissing(kind: .mag, detail: "none"),
        ]
        for failure in all { try Self.roundTrip(failure) }
    }

    private static func roundTrip<Failure: InterfaceFailure>(_ failure: Failure) throws {
        var json = JSONWriter()
        failure.write(into: &json)
        let parameters = try JSONReader.read(json.bytes)
        #expect(Failure(name: "\(failure.name)", parameters: parameters) == failure)
        #expect(Failure(name: "\(failure.name)d", parameters: parameters) == nil)
    }

    @Test("an error whose parameters do not fit is none") func malformed() throws {
        #expect(PoseInterface.Failure(name: "org.waymark.Pose.NotReady", parameters: try Self.node("{}")) == nil)
    }

    @Test("the traits are those of the interface file") func traits() {
        #expect(PoseInterface.Subscribe.traits.replies == .many && PoseInterface.Subscribe.traits.right == .reading)
        #expect(SceneInterface.GetAhead.traits.replies == .oneOrMany)
        let imported = SceneInterface.ImportPlaces.traits
        #expect(imported.right == .changing && imported.takesDescriptor && imported.replies == .oneOrMany)
        #expect(
            SceneInterface.ExportPlaces.traits.takesDescriptor && SceneInterface.ExportPlaces.traits.right == .reading)
        #expect(RecordingInterface.methods.allSatisfy { $0.right == .changing })
        #expect(PlanInterface.Import.traits.right == .changing && PlanInterface.Remove.traits.right == .changing)
        #expect(PlanInterface.Import.traits.takesDescriptor && PlanInterface.Get.traits.right == .reading)
        #expect(PoseInterface.methods.allSatisfy { $0.right == .reading })
        #expect(AidInterface.Open.traits.right == .aiding && AidInterface.List.traits.right == .reading)
    }
}
