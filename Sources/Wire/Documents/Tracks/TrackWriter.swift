import JSON

/// Writer of one format: points in, text out. It holds a bounded number of points.
protocol TrackWriter {
    /// Whether the format can have the point at all.
    func accepts(_ point: TrackSample) -> Bool
    /// Writes what stands before the first point.
    mutating func begin(into text: inout TextBuffer)
    /// Writes a point that it accepts.
    ///
    /// - Parameter startsSegment: whether it does not continue the line: the first one, and each after a gap.
    mutating func write(_ point: TrackSample, startsSegment: Bool, into text: inout TextBuffer)
    /// Writes what stands behind the last point.
    mutating func end(into text: inout TextBuffer)
}

extension TrackWriter {
    /// Formats of positions have no others.
    func accepts(_ point: TrackSample) -> Bool { point.position != nil }
}
