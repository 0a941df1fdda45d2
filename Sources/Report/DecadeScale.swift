#if canImport(Glibc)
    import Glibc
#endif

/// Logarithmic axis of a drawing, with whole decades.
struct DecadeScale {
    /// Exponent of the first decade.
    let first: Int
    /// Exponent at the end of the last decade.
    let last: Int
    private let scale: Scale

    /// Covers the values, which have to be positive, with whole decades.
    init(_ values: [Double], from: Double, to: Double) {
        let (least, most) = (values.min() ?? 1, values.max() ?? 10)
        let first = Int(log10(least).rounded(.down))
        self.first = first
        last = max(first + 1, Int(log10(most).rounded(.up)))
        scale = Scale(Double(first), Double(last), from: from, to: to)
    }

    /// Coordinate of a value in the drawing, clamped to the axis.
    func place(_ value: Double) -> Double { scale.place(log10(value)) }

    /// Coordinate of a power of ten in the drawing.
    func place(power: Int) -> Double { scale.place(Double(power)) }

    /// Coordinates of 2 to 9 times each power of ten.
    var finePlaces: [Double] {
        (first..<last).flatMap { power in (2...9).map { scale.place(Double(power) + log10(Double($0))) } }
    }

    /// Label of a power of ten: `0.01`, `1`, `100`, or `1e-05` where that would be too long.
    static func text(power: Int) -> String {
        guard (-3...4).contains(power) else { return "1e\(power)" }
        let noughts = String(repeating: "0", count: max(0, power < 0 ? -power - 1 : power))
        return power < 0 ? "0." + noughts + "1" : "1" + noughts
    }
}
