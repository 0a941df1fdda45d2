import JSON

/// Writer of one format, which turns points into text. It holds a limited number of points.
protocol TrackWriter {
    /// Whether the format can represent the point.
    func accepts(_ point: TrackSample) -> Bool
    /// Writes the text before the first point.
    mutating func begin(into text: inout TextBuffer)
    /// Writes a point that the writer accepts.
    ///
    /// - Parameter startsSegment: whether the point begins a line, as the first point and each point after a gap do.
    mutating func write(_ point: TrackSample, startsSegment: Bool, into text: inout TextBuffer)
    /// Writes the text after the last point.
    mutating func end(into text: inout TextBuffer)
}

extension TrackWriter {
    /// By default, only points with a position are accepted.
    func accepts(_ point: TrackSample) -> Bool { point.position != nil }

    /// By default, no text follows the last point, as in a table.
    mutating func end(into text: inout TextBuffer) {}
}
