#if canImport(Glibc)
    import Glibc
#endif

/// Values along one side of a drawing by their logarithms.
struct DecadeScale {
    /// Powers of ten.
    let first: Int
    let last: Int
    private let scale: Scale

    /// Full decades around the values, which are above zero.
    init(_ values: [Double], from: Double, to: Double) {
        let (least, most) = (values.min() ?? 1, values.max() ?? 10)
        let first = Int(log10(least).rounded(.down))
        self.first = first
        last = max(first + 1, Int(log10(most).rounded(.up)))
        scale = Scale(Double(first), Double(last), from: from, to: to)
    }

    /// In the drawing; what is beyond a border is drawn on it.
    func place(_ value: Double) -> Double { scale.place(log10(value)) }

    func place(power: Int) -> Double { scale.place(Double(power)) }

    /// Where 2 to 9 times each power of ten lie.
    var finePlaces: [Double] {
        (first..<last).flatMap { power in (2...9).map { scale.place(Double(power) + log10(Double($0))) } }
    }

    /// `0.01`, `1`, `100`, and `1e-05` where that would be long.
    static func text(power: Int) -> String {
        guard (-3...4).contains(power) else { return "1e\(power)" }
        let noughts = String(repeating: "0", count: max(0, power < 0 ? -power - 1 : power))
        return power < 0 ? "0." + noughts + "1" : "1" + noughts
    }
}
