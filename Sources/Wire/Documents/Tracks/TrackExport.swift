import JSON

/// Writer of a track in one of the formats. It leaves out points that the format cannot represent, thins out the rest
/// and finds gaps.
///
/// The caller removes the text piece by piece, so that memory does not grow with the track.
public struct TrackExport {
    /// Shortest gap that ends a segment; fixes and poses arrive at least once a second. Unit: seconds.
    static let minimumGap = 10.0
    /// Shortest gap that ends a segment, as a multiple of the interval between points at the requested rate.
    private static let gapPeriods = 3.0

    /// Text that the caller has not removed yet.
    public private(set) var text = TextBuffer(capacity: 128 * 1024)
    package private(set) var points = 0

    private var writer: any TrackWriter
    private var thinning: TrackThinning
    private let gap: Double
    private var last: TrackSample?

    /// Begins a document.
    ///
    /// - Parameter rate: points per second; nil for all points.
    public init(_ format: TrackFormat, _ description: TrackDescription, rate: Double?) {
        writer = format.writer(description)
        thinning = TrackThinning(rate: rate)
        gap = max(Self.minimumGap, rate.map { Self.gapPeriods / $0 } ?? 0)
        writer.begin(into: &text)
    }

    /// Adds a point. Points have to be added in chronological order.
    public mutating func add(_ point: TrackSample) {
        guard writer.accepts(point), let kept = thinning.take(point) else { return }
        write(kept)
    }

    package mutating func finish() {
        if let kept = thinning.finish() { write(kept) }
        writer.end(into: &text)
    }

    /// Removes the text; call it when its bytes have been passed on.
    public mutating func removeText() { text.removeAll() }

    private mutating func write(_ point: TrackSample) {
        let elapsed = last.map { point.time.seconds(since: $0.time) }
        // A segment also ends if the clock was set back.
        let continues = elapsed.map { (0...gap).contains($0) } ?? false
        writer.write(point, startsSegment: !continues, into: &text)
        points += 1
        last = point
    }
}
