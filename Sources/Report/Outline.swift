import Formats

/// Path data (`d`) of an SVG path: polylines, with gaps.
struct Outline {
    private var buffer = TextBuffer()
    private var isDown = false

    var text: String { String(decoding: buffer.bytes, as: UTF8.self) }
    var isEmpty: Bool { buffer.count == 0 }

    /// Ends the current polyline: the next point begins a new one.
    mutating func lift() { isDown = false }

    /// Adds a point, in coordinates of the drawing.
    mutating func go(_ x: Double, _ y: Double) {
        buffer.append(UInt8(ascii: isDown ? "L" : "M"))
        buffer.append(x, decimals: 1)
        buffer.append(UInt8(ascii: " "))
        buffer.append(y, decimals: 1)
        isDown = true
    }

    /// Closes the current polyline to its first point.
    mutating func close() {
        buffer.append(UInt8(ascii: "Z"))
        isDown = false
    }
}
