import Engine
import Geometry
import Messages
import Scene
import Varlink
import WaymarkInterface

/// `EstimateAt` of `org.waymark.Scene`: pairs a client's own fix with the pose at the time of the fix.
struct EstimateMethods {
    let driver: EngineDriver
    let moments: PastMoments

    /// Largest distance from the board to the point whose position the fix gives. Unit: metres.
    private static let maximumOffset = 1000.0
    /// Largest standard deviation that a fix may have. Unit: metres.
    private static let poorest = 100_000.0

    func estimate(_ request: SceneInterface.EstimateAt, _ call: Call) throws(VarlinkError) {
        let fix = try Self.fix(request)
        let time = try moments.time(request.time, request.clock)
        do throws(PairingProblem) {
            let (estimate, past) = try driver.engine.pair(fix, at: time)
            call.reply(json: SceneInterface.EstimateAt.Reply(estimate: estimate.message(past.pose)))
        } catch {
            throw VarlinkError(error)
        }
    }

    private static func fix(_ request: SceneInterface.EstimateAt) throws(VarlinkError) -> ClientFix {
        guard let position = GeodeticPosition(request.geo) else { throw .invalidParameter("geo") }
        guard request.horizontalAccuracy > 0, request.horizontalAccuracy <= poorest else {
            throw .invalidParameter("horizontalAccuracy")
        }
        let offset = request.offset.map(Vector3.init) ?? .zero
        guard offset.norm <= maximumOffset else { throw .invalidParameter("offset") }
        return ClientFix(
            position: position, hasHeight: request.geo.height != nil,
            horizontalAccuracy: request.horizontalAccuracy, offsetInBody: offset)
    }
}

extension VarlinkError {
    fileprivate init(_ problem: PairingProblem) {
        switch problem {
        case .noPose(let problem): self.init(problem)
        case .notLocalized: self = .noPosition
        case .otherGeneration(let generation):
            self.init(SceneInterface.Failure.otherGeneration(generation: Int(generation)))
        case .outOfReach: self = .invalidParameter("geo")
        }
    }
}
