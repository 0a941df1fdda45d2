import JSON

/// The `d` of a path in a drawing: lines through points, with gaps.
struct Outline {
    private var buffer = TextBuffer()
    private var isDown = false

    var text: String { String(decoding: buffer.bytes, as: UTF8.self) }
    var isEmpty: Bool { buffer.count == 0 }

    /// The next point begins a new line.
    mutating func lift() { isDown = false }

    mutating func go(_ x: Double, _ y: Double) {
        buffer.append(UInt8(ascii: isDown ? "L" : "M"))
        buffer.append(x, decimals: 1)
        buffer.append(UInt8(ascii: " "))
        buffer.append(y, decimals: 1)
        isDown = true
    }

    /// Back to the first point of this line.
    mutating func close() {
        buffer.append(UInt8(ascii: "Z"))
        isDown = false
    }
}
