extension PlanLevel {
    /// Returns the numbers of levels, counted up from 0 on the ground floor. They are derived from the names of all
    /// levels of a plan; nil if a name has no clear number, such as "mezzanine".
    ///
    /// A plain number is used as it is. Names of ground floors (G, GF, EG, RDC) are 0. Names with OG count up from 1,
    /// and names with B, UG or "basement" down from -1. Names with F or L (F1, 2F, L3) count the ground floor as floor
    /// 1, so that F1 is directly above B1. If the plan has a ground floor under another name, or F0 or L0, F1 is above
    /// that ground floor.
    public static func numbers(of names: [String]) -> [Double?] {
        let meanings = names.map(LevelMeaning.init)
        let hasGround = meanings.contains { $0.isGround }
        return meanings.map { $0.number(besideGround: hasGround) }
    }

    /// Longest name that is parsed. Unit: bytes.
    static let maximumNumberedNameLength = 24
}

/// Letters and number of a level's name.
private struct LevelMeaning {
    /// Letters of the name in upper case, without the number; empty for a plain number.
    private var letters = ""
    private var value: Double?
    /// Whether the name consists of letters and at most one number.
    private var isClear = false

    init(_ name: String) {
        guard name.utf8.count <= PlanLevel.maximumNumberedNameLength else { return }
        let text = name.uppercased().replacing("\u{2212}", with: "-").filter { $0 != " " && $0 != "_" }
        let isLetter = { (character: Character) in ("A"..."Z").contains(character) }
        let leading = text.prefix(while: isLetter)
        let rest = text.dropFirst(leading.count)
        let digits = rest.prefix { $0.isASCII && !isLetter($0) }
        let trailing = rest.dropFirst(digits.count)
        guard trailing.allSatisfy(isLetter), leading.isEmpty || trailing.isEmpty else { return }
        letters = String(leading + trailing)
        // The point in "2. OG" belongs to an ordinal number.
        let number = !trailing.isEmpty && digits.hasSuffix(".") ? digits.dropLast() : digits
        value = Self.decimal(number)
        isClear = number.isEmpty || value != nil
    }

    private static func decimal(_ text: Substring) -> Double? {
        let isDecimal = text.allSatisfy { ("0"..."9").contains($0) || "+-.".contains($0) } && text.last != "."
        guard isDecimal, let value = Double(text), value.magnitude < 1000 else { return nil }
        return value == 0 ? 0 : value
    }

    private static let grounds: Set = ["G", "GF", "GL", "EG", "RDC", "GROUND", "GROUNDFLOOR"]
    private static let basements: Set = ["B", "UG", "BASEMENT"]
    private static let upper: Set = ["OG"]
    private static let counted: Set = ["F", "L", "FLOOR", "LEVEL"]

    /// Whether this is a name of the ground floor in a scheme that counts up from 0.
    var isGround: Bool {
        guard isClear else { return false }
        return value == nil ? Self.grounds.contains(letters) : value == 0 && (letters.isEmpty || isCounted)
    }

    private var isCounted: Bool { Self.counted.contains(letters) }

    func number(besideGround hasGround: Bool) -> Double? {
        guard isClear else { return nil }
        switch (letters, value) {
        case ("", let value): return value
        case (_, nil) where Self.grounds.contains(letters): return 0
        case (_, let value) where Self.basements.contains(letters): return -(value ?? 1).magnitude
        case (_, let value) where Self.upper.contains(letters): return value ?? 1
        case (_, let value?) where isCounted: return hasGround || value <= 0 ? value : value - 1
        default: return nil
        }
    }
}
