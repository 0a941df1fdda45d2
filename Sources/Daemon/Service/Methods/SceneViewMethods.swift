import Geometry
import Messages
import Scene
import Varlink
import WaymarkInterface

/// `org.waymark.Scene`: the scene as a display sees it, and what a ray hits in it.
struct SceneViewMethods {
    let driver: EngineDriver
    let publisher: ScenePublisher

    private static let rates = 1...ScenePublisher.maximumRate
    private static let defaultRate = 10.0
    /// Permitted fields of view, which exclude 0 and 180. Unit: degrees.
    private static let fieldsOfView = 0.1...179.9
    private static let defaultFieldOfView = 60.0
    private static let aspects = 0.1...10.0
    private static let defaultAspect = 16.0 / 9
    /// Permitted ranges of the radar. Unit: metres.
    private static let radarRanges = 1...100_000.0
    private static let hintCounts = 0...16
    /// Permitted angular sizes of labels. Unit: degrees.
    private static let labelWidths = 0.1...90.0
    private static let labelHeights = 0.1...45.0
    /// Permitted sizes of hint texts, as fractions of the display's height.
    private static let hintTextWidths = 0.02...5.0
    private static let hintTextHeights = 0.01...0.5
    private static let tolerances = 0...90.0

    // MARK: the scene

    func subscribe(_ request: SceneInterface.Subscribe, _ call: Call) throws(VarlinkError) {
        let rate = try Self.value(request.rate, Self.defaultRate, in: Self.rates, "rate")
        let view = try view(
            request.camera, request.radar, request.labels, hints: request.hints, texts: request.hintTexts,
            events: request.events ?? true)
        let user = call.peer.user
        if let reached = publisher.reachedLimit(ofLabelSizes: view.labelSize, user: user) {
            throw .limitExceeded(.labelSizes, reached.maximum)
        }
        if let sequence = request.eventsAfter, sequence < 0 || !view.takesEvents {
            throw .invalidParameter("eventsAfter")
        }
        let languages = try Self.languages(request.acceptLanguage)
        guard let stream = call.stream() else { return }
        publisher.add(
            stream, rate: rate, view: view, eventsAfter: request.eventsAfter.map(Int64.init), languages: languages,
            user: user)
    }

    func getScene(_ request: SceneInterface.GetScene, _ call: Call) throws(VarlinkError) {
        let view = try view(
            request.camera, request.radar, request.labels, hints: request.hints, texts: request.hintTexts, events: true)
        let languages = try Self.languages(request.acceptLanguage)
        guard let reply = publisher.snapshot(view, languages: languages) else { throw .noPose }
        call.reply(bytes: reply)
    }

    private static func languages(_ request: String?) throws(VarlinkError) -> AcceptedLanguages? {
        guard let request else { return nil }
        guard let languages = AcceptedLanguages(request) else { throw .invalidParameter("acceptLanguage") }
        return languages
    }

    private func view(
        _ camera: SceneInterface.Camera?, _ radar: SceneInterface.RadarView?, _ labels: SceneInterface.LabelSize?,
        hints: Int?, texts: SceneInterface.HintTextSize?, events: Bool
    ) throws(VarlinkError) -> SceneView {
        let width = try Self.value(
            camera?.horizontalFieldOfView, Self.defaultFieldOfView, in: Self.fieldsOfView,
            "camera.horizontalFieldOfView")
        let aspect = try Self.value(camera?.aspect, Self.defaultAspect, in: Self.aspects, "camera.aspect")
        let range = try radar.map { radar throws(VarlinkError) in
            try Self.value(radar.range, publisher.settings.radarMetres, in: Self.radarRanges, "radar.range")
        }
        if let hints, !Self.hintCounts.contains(hints) { throw .invalidParameter("hints") }
        return SceneView(
            camera: Camera(horizontalFieldOfView: Angle.radians(degrees: width), aspect: aspect), radarRange: range,
            labelSize: try labelSize(labels), maximumHintCount: hints, hintTexts: try hintTextSize(texts),
            takesEvents: events)
    }

    private func hintTextSize(_ request: SceneInterface.HintTextSize?) throws(VarlinkError) -> HintTextSize {
        let usual = HintTextSize.usual
        return HintTextSize(
            width: try Self.value(request?.width, usual.width, in: Self.hintTextWidths, "hintTexts.width"),
            height: try Self.value(request?.height, usual.height, in: Self.hintTextHeights, "hintTexts.height"))
    }

    /// Returns the label size that the request gives; nil if it gives none and the size of the settings applies.
    private func labelSize(_ request: SceneInterface.LabelSize?) throws(VarlinkError) -> LabelSize? {
        guard let request else { return nil }
        let settings = driver.engine.sceneSettings.labels
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

    // MARK: picking

    func pick(_ request: SceneInterface.Pick, _ call: Call) throws(VarlinkError) {
        var settings = publisher.settings
        settings.pickDegrees = try Self.value(request.tolerance, settings.pickDegrees, in: Self.tolerances, "tolerance")
        guard let content = driver.engine.compose() else { throw .noPose }
        let origin = request.origin.map(Vector3.init) ?? content.eye
        let direction = request.direction.map(Vector3.init) ?? content.rotationSceneFromBody * Vector3(0, 0, -1)
        guard origin.isFinite else { throw .invalidParameter("origin") }
        guard let ray = Ray(origin: origin, direction: direction) else { throw .invalidParameter("direction") }
        call.reply(
            json: content.pick(ray, headLocked: request.headLocked ?? false, settings: settings)
                .message(in: publisher.language))
    }
}
