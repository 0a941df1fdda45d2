import Formats
import Measurements
import Scene
import Varlink

/// Sends the scene to those who subscribed: composed once for all of them, and only when one takes it.
///
/// Each gets what has changed since it was last told. For one that has not taken that yet nothing is made; what it then
/// misses is in the next message, so that a slow reader costs nothing and waits for nobody.
final class ScenePublisher {
    private final class Subscriber {
        let stream: ReplyStream
        var divider: RateDivider
        var view: SceneView

        init(_ stream: ReplyStream, rate: Double, view: SceneView) {
            self.stream = stream
            divider = RateDivider(rate: rate)
            self.view = view
        }
    }

    /// The most sizes in which displays draw labels, where that is not left to the settings.
    static let mostLabelSizes = 8
    /// The most scenes that are composed. Unit: Hz.
    static let mostRate = 60.0

    private let driver: EngineDriver
    var settings: SceneSettings.Placements
    private var subscribers: [Subscriber] = []
    private var ticks = RateDivider(rate: mostRate)
    private var json = JSONWriter()

    init(driver: EngineDriver, settings: SceneSettings.Placements) {
        self.driver = driver
        self.settings = settings
    }

    /// Whether there is a layout for labels of a size, or room for one more.
    func canLayOut(labels size: LabelSize?) -> Bool {
        guard let size else { return true }
        let sizes = labelSizes
        return sizes.contains(size) || sizes.count < Self.mostLabelSizes
    }

    private var labelSizes: Set<LabelSize> { Set(subscribers.compactMap(\.view.labelSize)) }

    /// The scene goes to `stream` from now on until it ends, at most `rate` times a second.
    func add(_ stream: ReplyStream, rate: Double, view: SceneView) {
        let subscriber = Subscriber(stream, rate: rate, view: view)
        stream.onEnd = { [weak self, unowned subscriber] in
            guard let self else { return }
            subscribers.removeAll { $0 === subscriber }
            driver.setLabelSizes(labelSizes)
        }
        subscribers.append(subscriber)
        driver.setLabelSizes(labelSizes)
    }

    /// To be called when there may be a new pose.
    func publish() {
        guard !subscribers.isEmpty, let time = driver.latestPose?.time, ticks.takes(time) else { return }
        var content: SceneContent?
        for subscriber in subscribers where subscriber.divider.takes(time) {
            guard subscriber.stream.isIdle else {
                subscriber.view.skip()
                continue
            }
            content = content ?? driver.compose()
            guard let content, let update = subscriber.view.update(to: content, settings: settings) else { continue }
            subscriber.stream.offer(EncodedMessage(parameters: encode(update)))
        }
    }

    /// Something has happened: everybody is told with the next message.
    func publish(_ event: TimedEvent) {
        for subscriber in subscribers { subscriber.view.add(event) }
    }

    /// The whole scene as the reply to GetScene; nil before the first pose.
    func snapshot(_ view: SceneView) -> [UInt8]? {
        var view = view
        let sizes = labelSizes
        if let size = view.labelSize { driver.setLabelSizes(sizes.union([size])) }
        defer { driver.setLabelSizes(sizes) }
        guard let content = driver.compose(), let update = view.update(to: content, settings: settings) else {
            return nil
        }
        return Array(encode(update))
    }

    private func encode(_ update: SceneUpdate) -> [UInt8] {
        json.removeAll()
        json.beginObject()
        json.key("scene")
        SceneMessage.write(update, into: &json)
        json.endObject()
        return json.bytes
    }
}
