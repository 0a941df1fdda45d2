import Engine
import Geometry
import JSON
import Messages
import Model
import Persistence
import Scene
import Service
import Simulation

/// What a frame costs at 60 Hz for a wearer who walks a route through the city: the nearby places, the scene, and the
/// message for one display.
struct FrameRound {
    /// Asking for the nearby places, now and then. Unit: nanoseconds.
    private(set) var queries: [Double] = []
    /// The scene and its message, of each frame. Unit: nanoseconds.
    private(set) var compositions: [Double] = []
    /// The same, and the question for places in the frames in which the daemon would ask. Unit: nanoseconds.
    private(set) var frames: [Double] = []
    /// Of all messages. Unit: bytes.
    private(set) var bytes = 0
    private(set) var maximumPlacementCount = 0

    private let store: PlaceStore
    private let settings = SceneSettings()
    private var view = SceneView(
        camera: Camera(horizontalFieldOfView: Angle.radians(degrees: 60), aspect: 16.0 / 9))
    private var json = JSONWriter()
    private var askedAt: GeodeticPosition?

    /// Unit: Hz.
    private static let rate = 60.0
    /// Number of frames between two queries that are made only to be timed.
    private static let questionInterval = 10

    /// - Parameters:
    ///   - walk: through the city, fed to an engine of its own.
    ///   - seconds: of the walk.
    init(_ walk: consuming CityWalk, seconds: Double, store: PlaceStore) throws {
        self.store = store
        var engine = Engine(settings: settings)
        try engine.follow(walk.route)
        var start: BootTime?
        var next: BootTime?
        while true {
            let measurement = walk.next()
            start = start ?? measurement.arrival
            guard let start, measurement.arrival.seconds(since: start) < seconds else { break }
            engine.feed(measurement) { event in
                if case .scene(let event) = event { view.events.add(event) }
            }
            guard let pose = engine.pose, let here = pose.geodetic, next.map({ pose.time >= $0 }) ?? true else {
                continue
            }
            next = pose.time.shifted(by: Int64(1e9 / Self.rate))
            try takeFrame(&engine, here)
        }
    }

    private mutating func takeFrame(_ engine: inout Engine, _ here: GeodeticPosition) throws {
        var spent = 0.0
        let isDue = askedAt.map { Geodesic(from: $0, to: here).distance > PlaceCandidates.step } ?? true
        if isDue || compositions.count % Self.questionInterval == 0 {
            let begin = ThreadClock.now
            let places = try store.around(
                here, radius: PlaceFilter(settings: settings.places).reach(settings.places),
                limit: PlaceCandidates.spare * settings.places.maximumShownCount)
            queries.append(ThreadClock.now - begin)
            if isDue {
                askedAt = here
                engine.setPlaces(places)
                spent = queries[queries.count - 1]
            }
        }
        compositions.append(compose(&engine))
        frames.append(spent + compositions[compositions.count - 1])
    }

    private mutating func compose(_ engine: inout Engine) -> Double {
        let begin = ThreadClock.now
        guard let content = engine.compose() else { return ThreadClock.now - begin }
        if let update = view.update(to: content, settings: settings.placements) {
            json.removeAll()
            update.message(in: .english).write(into: &json)
        }
        let spent = ThreadClock.now - begin
        bytes += json.bytes.count
        json.removeAll()
        maximumPlacementCount = max(maximumPlacementCount, content.placements.count)
        return spent
    }
}

extension [Double] {
    /// The value that this share of them does not exceed.
    func quantile(_ share: Double) -> Double {
        let sorted = sorted()
        return sorted[Swift.min(count - 1, Int(share * Double(count)))]
    }
}
