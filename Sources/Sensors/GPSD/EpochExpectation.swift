/// What a receiver adds to an epoch after its first report, and how much later.
///
/// Receivers on a slow line send position, velocity and standard deviations in sentences that are up to some tenths of
/// a second apart, and gpsd reports each as it arrives. Until the receiver has shown what it sends, everything is
/// expected.
package struct EpochExpectation {
    /// Kinds of content that reports add to an epoch.
    package struct Contents: OptionSet, Hashable {
        package var rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let velocity = Contents(rawValue: 1)
        package static let height = Contents(rawValue: 2)
        package static let errors = Contents(rawValue: 4)
        package static let sigmas = Contents(rawValue: 8)
        package static let verticalError = Contents(rawValue: 16)
        fileprivate static let kinds = [velocity, height, errors, sigmas, verticalError]

        /// Contents of one report, without standard deviations.
        package init(_ fix: GPSDReport.FixReport) {
            self = []
            if fix.east != nil { insert(.velocity) }
            if fix.position?.ellipsoidalHeight != nil || fix.position?.seaLevelHeight != nil { insert(.height) }
            if fix.horizontalError != nil || fix.eastError != nil { insert(.errors) }
            if fix.verticalError != nil { insert(.verticalError) }
        }
    }

    /// Number of epochs after which contents that stayed away are no longer expected, and of epochs that are
    /// remembered.
    package static let epochs = 5
    /// Share of the interval of epochs for which one is held at most: the next must not wait for it.
    private static let intervalShare = 0.45
    /// Ratio of the wait to the longest delay seen, which varies by a sentence more or less on the line.
    private static let delayShare = 1.5

    private let shortest: Int64
    private let longest: Int64
    private var left = [Int](repeating: EpochExpectation.epochs, count: Contents.kinds.count)
    /// Delays of the last addition to each of the latest epochs, oldest first. Unit: ns.
    private var delays: [Int64] = []

    /// Expects everything.
    ///
    /// - Parameters:
    ///   - shortest: wait for a receiver that sends its sentences in a burst. Unit: ns.
    ///   - longest: wait while the receiver is not known. Unit: ns.
    package init(shortestNanoseconds shortest: Int64, longestNanoseconds longest: Int64) {
        self.shortest = shortest
        self.longest = longest
    }

    /// Contents that the receiver has added to recent epochs, or that it may be about to.
    package var expected: Contents {
        zip(Contents.kinds, left).reduce(into: []) { if $1.1 > 0 { $0.insert($1.0) } }
    }

    /// Longest wait after the first report of an epoch. Unit: ns.
    ///
    /// - Parameter interval: interval of the epochs, if it is known. Unit: ns.
    package func hold(interval: Int64?) -> Int64 {
        let isKnown = delays.count == Self.epochs
        let learned = isKnown ? Int64(Self.delayShare * Double(delays.max() ?? 0)) + shortest : longest
        let bound = interval.map { Int64(Self.intervalShare * Double($0)) } ?? longest
        return max(shortest, min(learned, bound, longest))
    }

    /// Takes an epoch that has ended.
    ///
    /// - Parameters:
    ///   - contents: contents of all of its reports.
    ///   - delay: time from its first report to the last that added some. Unit: ns.
    package mutating func take(_ contents: Contents, delay: Int64) {
        for (place, kind) in Contents.kinds.enumerated() {
            left[place] = contents.contains(kind) ? Self.epochs : max(0, left[place] - 1)
        }
        if delays.count == Self.epochs { delays.removeFirst() }
        delays.append(delay)
    }

    /// Takes contents that arrived after their epoch had ended: the next ones are held for longer.
    package mutating func takeLate(_ contents: Contents, delay: Int64) {
        for (place, kind) in Contents.kinds.enumerated() where contents.contains(kind) { left[place] = Self.epochs }
        guard let last = delays.indices.last else { return }
        delays[last] = max(delays[last], delay)
    }
}
