import Estimation

/// Command line of the program.
package struct ScoreOptions: Hashable, Sendable {
    /// Sets of seeds; the score uses the first.
    package var seeds: [[UInt64]] = []
    /// Parts of names, of which one must be in that of a condition, a recording or a part; empty chooses all.
    package var conditions: [String] = []
    /// The same for the parts of the estimator.
    package var parts: [String] = []
    /// Parts of the estimator that are switched off.
    package var without: Set<EstimatorPart> = []
    /// File for the readings as JSON.
    package var json: String?
    /// Number of walks at a time.
    package var jobs = 2
    /// Names the conditions and parts instead of playing them.
    package var isList = false
    /// Whether the parts are switched off in turn.
    package var isAblation = false
    /// Whether public recordings are left out.
    package var isWithoutRecordings = false

    /// Explanation for a command line that is not understood.
    package static let usage = """
        Usage: waymark-score [--seeds 1-4] [--condition PART]... [--without NAME]... [--json FILE] [--jobs N]
                             [--no-recordings]
               waymark-score --ablation [--seeds A --seeds B] [--condition PART]... [--part PART]... [--jobs N]
               waymark-score --list
        """

    /// Largest number of seeds in a set.
    private static let maximumSeedCount = 1000

    /// Argument that is not an option, or whose value is missing or impossible.
    package struct Problem: Error, Hashable {
        /// The argument, with its value.
        package let argument: String
    }

    /// Reads the arguments of a command line.
    ///
    /// - Throws: for the first one that is not understood.
    package init(_ arguments: [String], jobs: Int) throws(Problem) {
        self.jobs = jobs
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--list": isList = true
            case "--ablation": isAblation = true
            case "--no-recordings": isWithoutRecordings = true
            default:
                guard let value = rest.popFirst() else { throw Problem(argument: option) }
                guard set(option, value) else { throw Problem(argument: "\(option) \(value)") }
            }
        }
    }

    private mutating func set(_ option: String, _ value: String) -> Bool {
        switch option {
        case "--seeds":
            guard let set = Self.seeds(value) else { return false }
            seeds.append(set)
        case "--condition": conditions.append(value)
        case "--part": parts.append(value)
        case "--without":
            guard let part = EstimatorPart.allCases.first(where: { "\($0)" == value }) else { return false }
            without.insert(part)
        case "--json": json = value
        case "--jobs":
            guard let number = Int(value), (1...256).contains(number) else { return false }
            jobs = number
        default: return false
        }
        return true
    }

    /// Seeds of a text such as `1-4` or `1,3,7-9`; nil for any other.
    package static func seeds(_ text: String) -> [UInt64]? {
        var seeds: [UInt64] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { UInt64($0) }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1], first <= last,
                last - first < UInt64(maximumSeedCount)
            else { return nil }
            seeds += first...last
        }
        return seeds.count <= maximumSeedCount && Set(seeds).count == seeds.count ? seeds : nil
    }

    /// Whether a name is chosen.
    package func chooses(_ name: String, by parts: [String]) -> Bool {
        parts.isEmpty || parts.contains { name.contains($0) }
    }
}
