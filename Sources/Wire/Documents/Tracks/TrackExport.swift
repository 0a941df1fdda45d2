import JSON

/// Writes a track in one of the formats: leaves out what the format cannot have, thins the rest out and finds gaps.
///
/// The text is to be taken out by pieces: memory does not grow with the track.
public struct TrackExport {
    /// Least silence that ends a segment: fixes and poses come at least once a second. Unit: seconds.
    static let leastGap = 10.0
    /// The same in periods of the rate.
    private static let gapPeriods = 3.0

    /// Text that has not been taken out.
    public private(set) var text = TextBuffer(capacity: 128 * 1024)
    /// Number of points that were written.
    public private(set) var points = 0

    private var writer: any TrackWriter
    private var thinning: TrackThinning
    private let gap: Double
    private var last: TrackSample?

    /// Begins a document.
    ///
    /// - Parameter rate: points a second; nil for all.
    public init(_ format: TrackFormat, _ description: TrackDescription, rate: Double?) {
        writer = format.writer(description)
        thinning = TrackThinning(rate: rate)
        gap = max(Self.leastGap, rate.map { Self.gapPeriods / $0 } ?? 0)
        writer.begin(into: &text)
    }

    /// Adds a point; they are to come in the order of time.
    public mutating func add(_ point: TrackSample) {
        guard writer.accepts(point), let kept = thinning.take(point) else { return }
        write(kept)
    }

    /// Ends the document.
    public mutating func finish() {
        if let kept = thinning.finish() { write(kept) }
        writer.end(into: &text)
    }

    /// Empties the text, once its bytes have been passed on.
    public mutating func removeText() { text.removeAll() }

    private mutating func write(_ point: TrackSample) {
        let elapsed = last.map { point.time.seconds(since: $0.time) }
        // A clock that went back begins another line as well.
        let continues = elapsed.map { (0...gap).contains($0) } ?? false
        writer.write(point, startsSegment: !continues, into: &text)
        points += 1
        last = point
    }
}
