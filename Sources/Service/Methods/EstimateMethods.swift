import Engine
import Geodesy
import Geometry
import JSON
import Messages
import Scene
import Varlink

/// `EstimateAt` of `org.waymark.Scene`: what a client has found by itself, beside the pose of that moment.
final class EstimateMethods: MethodGroup {
    private let driver: EngineDriver
    private let moments: PastMoments

    /// The farthest that the subject of a fix may be from the board, and the poorest fix. Unit: metres.
    private static let farthest = 1000.0
    private static let poorest = 100_000.0

    init(driver: EngineDriver, moments: PastMoments) {
        self.driver = driver
        self.moments = moments
    }

    func answer(_ call: Call) throws(VarlinkError) -> Bool {
        guard call.method == "EstimateAt" else { return false }
        try estimate(call)
        return true
    }

    private struct Offset: Decodable {
        let x: Double
        let y: Double
        let z: Double
    }

    private struct Question: Decodable {
        let time: TimeMessage
        let clock: ClockMessage?
        let geo: GeoMessage
        let horizontalAccuracy: Double
        let offset: Offset?
    }

    private func estimate(_ call: Call) throws(VarlinkError) {
        let question = try call.decode(Question.self)
        let fix = try Self.fix(question)
        let time = try moments.time(question.time, question.clock)
        var json = JSONWriter()
        do throws(PairingProblem) {
            let (estimate, past) = try driver.pair(fix, at: time)
            json.beginObject()
            json.key("estimate")
            EstimateMessage.write(estimate, past.pose, into: &json)
            json.endObject()
        } catch {
            throw VarlinkError(error)
        }
        call.reply(bytes: Array(json.bytes))
    }

    private static func fix(_ question: Question) throws(VarlinkError) -> ClientFix {
        guard let position = question.geo.position else { throw .invalidParameter("geo") }
        guard question.horizontalAccuracy > 0, question.horizontalAccuracy <= poorest else {
            throw .invalidParameter("horizontalAccuracy")
        }
        let offset = question.offset.map { Vector3($0.x, $0.y, $0.z) } ?? .zero
        guard offset.norm <= farthest else { throw .invalidParameter("offset") }
        return ClientFix(
            position: position, hasHeight: question.geo.height != nil,
            horizontalAccuracy: question.horizontalAccuracy, offsetInBody: offset)
    }
}

extension VarlinkError {
    fileprivate init(_ problem: PairingProblem) {
        switch problem {
        case .noPose(let problem): self.init(problem)
        case .notLocalized:
            self.init(
                name: "NotLocalized", ["reason": "no position yet; see `waymark status`"])
        case .otherGeneration(let generation):
            self.init(name: "OtherGeneration", encoding: Generation(generation: Int(generation)))
        case .outOfReach: self = .invalidParameter("geo")
        }
    }

    private struct Generation: Encodable { let generation: Int }
}
