import Geometry
import Messages
import Model
import Persistence
import SQLite
import Scene
import Varlink
import WaymarkInterface

/// Methods of `org.waymark.Scene` about the frame: its corrections as they come, and why content moved.
struct FrameMethods {
    let driver: EngineDriver
    let publisher: PosePublisher
    let repository: PlaceRepository

    private static let defaultSeconds = 60.0
    /// Maximum number of corrections in one reply, the newest ones; there is at most one correction per second.
    private static let maximumCorrectionCount = 600

    func subscribe(_ call: Call) {
        if let stream = call.stream() { publisher.addFrames(stream) }
    }

    func explain(_ request: SceneInterface.Explain, _ call: Call) throws(VarlinkError) {
        let seconds = request.seconds ?? Self.defaultSeconds
        guard (1...FrameHistory.span).contains(seconds) else { throw .invalidParameter("seconds") }
        guard let id = request.id else { return reply(call, seconds, place: nil) }
        if let position = driver.engine.position(ofPlacement: id) { return reply(call, seconds, place: position) }
        let stored = PlacementID.placeID(in: id) ?? id
        repository.perform { store in
            try store.place(id: stored)
        } then: { result in
            switch result {
            case .success(let place?): reply(call, seconds, place: place.position)
            case .success(nil): call.fail(.noSuchPlace(id))
            case .failure(let error): call.fail(VarlinkError(store: error))
            }
        }
    }

    private func reply(_ call: Call, _ seconds: Double, place: GeodeticPosition?) {
        let now = driver.engine.pose?.time
        let corrections = now.map { driver.engine.frameHistory.corrections(during: seconds, before: $0) } ?? []
        call.reply(
            json: SceneInterface.Explain.Reply(
                corrections: corrections.suffix(Self.maximumCorrectionCount).map { correction in
                    correction.message(
                        utcOffset: publisher.utcOffset, effect: place.flatMap(correction.effect))
                }))
    }
}
