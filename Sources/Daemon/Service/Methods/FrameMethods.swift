import Geometry
import Messages
import Persistence
import Scene
import Varlink
import WaymarkInterface

/// Methods of `org.waymark.Scene` about the frame: a stream of its corrections, and an explanation of why content has
/// moved.
struct FrameMethods {
    let driver: EngineDriver
    let publisher: PosePublisher
    let repository: PlaceRepository

    private static let defaultSeconds = 60.0
    /// Maximum number of corrections in one reply, which has the newest ones. There is at most one correction per
    /// second.
    private static let maximumCorrectionCount = 600

    func subscribe(_ call: Call) {
        if let stream = call.stream() { publisher.addFrames(stream) }
    }

    func explain(_ request: SceneInterface.Explain, _ call: Call) throws(VarlinkError) {
        let seconds = request.seconds ?? Self.defaultSeconds
        guard (1...FrameHistory.span).contains(seconds) else { throw .invalidParameter("seconds") }
        guard let id = request.id else { return call.reply(json: corrections(seconds, place: nil)) }
        if let position = driver.engine.position(ofPlacement: id) {
            return call.reply(json: corrections(seconds, place: position))
        }
        let stored = PlacementID.placeID(in: id) ?? id
        repository.perform { store in
            try store.place(id: stored)
        } then: { result in
            call.reply(result, orElse: .noSuchPlace(id)) { corrections(seconds, place: $0.position) }
        }
    }

    private func corrections(_ seconds: Double, place: GeodeticPosition?) -> SceneInterface.Explain.Reply {
        let now = driver.engine.pose?.time
        let corrections = now.map { driver.engine.frameHistory.corrections(during: seconds, before: $0) } ?? []
        return SceneInterface.Explain.Reply(
            corrections: corrections.suffix(Self.maximumCorrectionCount).map { correction in
                correction.message(utcOffset: publisher.utcOffset, effect: place.flatMap(correction.effect))
            })
    }
}
