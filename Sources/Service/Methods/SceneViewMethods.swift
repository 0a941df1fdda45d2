import Geometry
import Messages
import Scene
import Varlink

/// `org.waymark.Scene`: the scene as a display sees it, and what a ray hits in it.
final class SceneViewMethods: MethodGroup {
    private let driver: EngineDriver
    private let publisher: ScenePublisher

    private static let rates = 1...ScenePublisher.mostRate
    private static let defaultRate = 10.0
    /// Degrees, 0 and 180 left out.
    private static let fieldsOfView = 0.1...179.9
    private static let defaultFieldOfView = 60.0
    private static let aspects = 0.1...10.0
    private static let defaultAspect = 16.0 / 9
    /// Metres.
    private static let radarRanges = 1...100_000.0
    private static let hintCounts = 0...16
    /// Degrees.
    private static let labelWidths = 0.1...90.0
    private static let labelHeights = 0.1...45.0
    private static let tolerances = 0...90.0

    init(driver: EngineDriver, publisher: ScenePublisher) {
        self.driver = driver
        self.publisher = publisher
    }

    func answer(_ call: Call) throws(VarlinkError) -> Bool {
        switch call.method {
        case "Subscribe": try subscribe(call)
        case "GetScene": try getScene(call)
        case "Pick": try pick(call)
        default: return false
        }
        return true
    }

    // MARK: the scene

    private struct CameraRequest: Decodable {
        let horizontalFieldOfView: Double?
        let aspect: Double?
    }

    private struct RadarRequest: Decodable {
        let range: Double?
    }

    private struct LabelRequest: Decodable {
        let width: Double?
        let height: Double?
    }

    private struct Request: Decodable {
        let labels: LabelRequest?
        let rate: Double?
        let camera: CameraRequest?
        let radar: RadarRequest?
        let hints: Int?
        let events: Bool?
    }

    private func subscribe(_ call: Call) throws(VarlinkError) {
        let request = try call.decode(Request.self)
        let rate = try Self.value(request.rate, Self.defaultRate, in: Self.rates, "rate")
        let view = try view(request)
        guard publisher.canLayOut(labels: view.labelSize) else {
            throw .limitExceeded("labelSizes", ScenePublisher.mostLabelSizes)
        }
        guard let stream = call.stream() else { return }
        publisher.add(stream, rate: rate, view: view)
    }

    private func getScene(_ call: Call) throws(VarlinkError) {
        let request = try call.decode(Request.self)
        guard let reply = publisher.snapshot(try view(request)) else { throw Self.noPose }
        call.reply(bytes: reply)
    }

    private func view(_ request: Request) throws(VarlinkError) -> SceneView {
        let width = try Self.value(
            request.camera?.horizontalFieldOfView, Self.defaultFieldOfView, in: Self.fieldsOfView,
            "camera.horizontalFieldOfView")
        let aspect = try Self.value(request.camera?.aspect, Self.defaultAspect, in: Self.aspects, "camera.aspect")
        let radar = try request.radar.map { radar throws(VarlinkError) in
            try Self.value(radar.range, publisher.settings.radarMetres, in: Self.radarRanges, "radar.range")
        }
        return SceneView(
            camera: Camera(horizontalFieldOfView: Angle.radians(degrees: width), aspect: aspect),
            radarRange: radar, labelSize: try labelSize(request.labels),
            mostHints: try mostHints(request.hints), takesEvents: request.events ?? true)
    }

    private func mostHints(_ request: Int?) throws(VarlinkError) -> Int? {
        guard let request else { return nil }
        guard Self.hintCounts.contains(request) else { throw .invalidParameter("hints") }
        return request
    }

    /// Nil for that of the settings.
    private func labelSize(_ request: LabelRequest?) throws(VarlinkError) -> LabelSize? {
        guard let request else { return nil }
        let settings = driver.sceneSettings.labels
        return LabelSize(
            widthDegrees: try Self.value(request.width, settings.widthDegrees, in: Self.labelWidths, "labels.width"),
            heightDegrees: try Self.value(
                request.height, settings.heightDegrees, in: Self.labelHeights, "labels.height"))
    }

    private static func value(
        _ request: Double?, _ fallback: Double, in range: ClosedRange<Double>, _ name: String
    ) throws(VarlinkError) -> Double {
        let value = request ?? fallback
        guard range.contains(value) else { throw .invalidParameter(name) }
        return value
    }

    static let noPose = VarlinkError(
        name: "NotLocalized", ["reason": "no pose yet; see `waymark status`"])

    // MARK: picking

    private struct PickRequest: Decodable {
        let origin: VectorMessage?
        let direction: VectorMessage?
        let tolerance: Double?
    }

    private func pick(_ call: Call) throws(VarlinkError) {
        let request = try call.decode(PickRequest.self)
        var settings = publisher.settings
        settings.pickDegrees = try Self.value(request.tolerance, settings.pickDegrees, in: Self.tolerances, "tolerance")
        guard let content = driver.compose() else { throw Self.noPose }
        let origin = request.origin?.vector ?? content.eye
        let direction = request.direction?.vector ?? content.rotationSceneFromBody * Vector3(0, 0, -1)
        guard origin.isFinite else { throw .invalidParameter("origin") }
        guard let ray = Ray(origin: origin, direction: direction) else { throw .invalidParameter("direction") }
        call.reply(bytes: PickMessage.encode(content.pick(ray, settings: settings)))
    }
}

/// The type `Vector` of the interface.
struct VectorMessage: Codable {
    let x: Double
    let y: Double
    let z: Double

    init(_ vector: Vector3) { (x, y, z) = (vector.x, vector.y, vector.z) }

    var vector: Vector3 { Vector3(x, y, z) }
}
