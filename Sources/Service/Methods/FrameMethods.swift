import Geodesy
import JSON
import Messages
import Model
import PlaceStore
import Scene
import Varlink

/// Methods of `org.waymark.Scene` about the frame: its corrections as they come, and why content moved.
final class FrameMethods: MethodGroup {
    private let driver: EngineDriver
    private let publisher: PosePublisher
    private let desk: PlaceRepository

    private static let defaultSeconds = 60.0
    /// Maximum number of corrections in one reply, the newest; one a second is the most there are.
    private static let mostCorrections = 600

    init(driver: EngineDriver, publisher: PosePublisher, desk: PlaceRepository) {
        self.driver = driver
        self.publisher = publisher
        self.desk = desk
    }

    func answer(_ call: Call) throws(VarlinkError) -> Bool {
        switch call.method {
        case "SubscribeFrame":
            guard let stream = call.stream() else { return true }
            publisher.addFrames(stream)
        case "Explain": try explain(call)
        default: return false
        }
        return true
    }

    private struct Question: Decodable {
        let seconds: Double?
        let id: String?
    }

    private func explain(_ call: Call) throws(VarlinkError) {
        let question = try call.decode(Question.self)
        let seconds = question.seconds ?? Self.defaultSeconds
        guard (1...FrameHistory.span).contains(seconds) else { throw .invalidParameter("seconds") }
        guard let id = question.id else { return reply(call, seconds, place: nil) }
        if let position = driver.position(ofPlacement: id) { return reply(call, seconds, place: position) }
        let stored = PlacementID.placeID(in: id) ?? id
        desk.perform { store in
            try store.place(id: stored)
        } then: { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let place?): reply(call, seconds, place: place.position)
            case .success(nil): call.fail(VarlinkError(name: "NoSuchPlace", ["id": id]))
            case .failure(let error): call.fail(VarlinkError(desk: error))
            }
        }
    }

    private func reply(_ call: Call, _ seconds: Double, place: GeodeticPosition?) {
        var json = JSONWriter()
        json.beginObject()
        json.key("corrections")
        json.beginArray()
        if let now = driver.latestPose?.time {
            for correction in driver.frameHistory.corrections(during: seconds, before: now).suffix(Self.mostCorrections)
            {
                CorrectionMessage.write(
                    correction, utcOffset: publisher.utcOffset, effect: place.flatMap(correction.effect), into: &json)
            }
        }
        json.endArray()
        json.endObject()
        call.reply(bytes: Array(json.bytes))
    }
}

extension PlaceStore {
    /// The place of an id; nil where there is none.
    func place(id: String) throws(DatabaseError) -> Place? {
        let statement = try database.prepare("SELECT \(Self.columns) FROM place WHERE id = ?")
        try statement.bind(.text(id))
        guard try statement.step() else { return nil }
        return Self.place(statement)
    }
}
