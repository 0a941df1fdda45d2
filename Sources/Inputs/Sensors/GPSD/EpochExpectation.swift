/// Contents that a receiver adds to an epoch after its first report, and how late they come.
///
/// Receivers on a slow line send position, velocity and standard deviations in sentences that are up to some tenths of
/// a second apart, and gpsd reports each as it arrives. Until the receiver's sentences are known, all contents are
/// expected. Some receivers send a sentence only in some epochs, such as RMC once a second among ten GGA. Its content
/// is then expected only when it is due.
///
/// Times are times of epochs. The interval is the time between epochs, or nil if unknown. Unit: ns.
struct EpochExpectation {
    /// Kinds of content that reports add to an epoch.
    struct Contents: OptionSet, Hashable {
        let rawValue: UInt8

        static let velocity = Contents(rawValue: 1)
        static let height = Contents(rawValue: 2)
        static let errors = Contents(rawValue: 4)
        static let sigmas = Contents(rawValue: 8)
        static let verticalError = Contents(rawValue: 16)
        fileprivate static let kinds = [velocity, height, errors, sigmas, verticalError]
    }

    /// Number of epochs after which missing contents are no longer expected, and whose delays are remembered.
    static let epochs = 5
    /// Maximum wait as a fraction of the epoch interval, so that the next epoch is not delayed.
    private static let intervalShare = 0.45
    /// Maximum wait in an epoch in which rare contents are due, as a fraction of the epoch interval. The next epoch
    /// ends this wait in any case.
    private static let dueShare = 0.9
    /// Ratio of the wait to the longest observed delay, which varies because some epochs have one sentence more than
    /// others.
    private static let delayShare = 1.5

    private let minimum: Int64
    private let maximum: Int64
    private var left = [Int](repeating: EpochExpectation.epochs, count: Contents.kinds.count)
    /// Delay of the last addition in each of the latest epochs, oldest first. Unit: ns.
    private var delays: [Int64] = []
    private var rhythms = [Rhythm](repeating: Rhythm(), count: Contents.kinds.count)

    /// Expects all contents.
    ///
    /// - Parameters:
    ///   - minimum: wait for a receiver that sends its sentences in a burst. Unit: ns.
    ///   - maximum: wait until the receiver's behaviour is known. Unit: ns.
    init(minimumNanoseconds minimum: Int64, maximumNanoseconds maximum: Int64) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// Contents that the receiver has recently added or may add, and contents that are due.
    func expected(at time: Int64, interval: Int64?) -> Contents {
        Contents.kinds.indices.reduce(into: []) { contents, place in
            if left[place] > 0 || rhythms[place].isDue(at: time, interval: interval) {
                contents.insert(Contents.kinds[place])
            }
        }
    }

    /// Longest wait after the first report of an epoch. Unit: ns.
    func hold(at time: Int64, interval: Int64?) -> Int64 {
        let isKnown = delays.count == Self.epochs
        let learned = isKnown ? wait(delays.max() ?? 0) : maximum
        let usual = min(learned, Self.bound(interval, Self.intervalShare) ?? maximum)
        let due = rhythms.lazy.filter { $0.isDue(at: time, interval: interval) }.map(\.delay).max()
        let late = due.map { min(wait($0), Self.bound(interval, Self.dueShare) ?? maximum) } ?? 0
        return max(minimum, min(max(usual, late), maximum))
    }

    private func wait(_ delay: Int64) -> Int64 { Int64(Self.delayShare * Double(delay)) + minimum }

    private static func bound(_ interval: Int64?, _ share: Double) -> Int64? {
        interval.map { Int64(share * Double($0)) }
    }

    /// Adds an epoch that has ended.
    ///
    /// - Parameters:
    ///   - contents: contents of all of its reports.
    ///   - delay: time from the epoch's first report to its last report that added something.
    mutating func take(_ contents: Contents, delay: Int64, at time: Int64, interval: Int64?) {
        for place in left.indices where !contents.contains(Contents.kinds[place]) {
            left[place] = max(0, left[place] - 1)
        }
        note(contents, delay: delay, at: time, interval: interval)
        if delays.count == Self.epochs { delays.removeFirst() }
        delays.append(delay)
    }

    /// Adds contents that arrived after their epoch had ended, so that the next epochs are held for longer.
    mutating func takeLate(_ contents: Contents, delay: Int64, at time: Int64, interval: Int64?) {
        note(contents, delay: delay, at: time, interval: interval)
        guard let last = delays.indices.last else { return }
        delays[last] = max(delays[last], delay)
    }

    private mutating func note(_ contents: Contents, delay: Int64, at time: Int64, interval: Int64?) {
        for place in left.indices where contents.contains(Contents.kinds[place]) {
            rhythms[place].take(time, delay: delay)
            left[place] = rhythms[place].isSparse(interval: interval) ? 0 : Self.epochs
        }
    }
}

extension EpochExpectation.Contents {
    /// Contents of one report, without standard deviations.
    init(_ fix: GPSDReport.FixReport) {
        self = []
        if fix.east != nil { insert(.velocity) }
        if fix.position?.hasHeight == true { insert(.height) }
        if fix.horizontalError != nil || fix.eastError != nil { insert(.errors) }
        if fix.verticalError != nil { insert(.verticalError) }
    }
}

/// Interval between epochs that have a certain content.
private struct Rhythm {
    /// Longest period for whose content an epoch is held. Unit: ns.
    private static let maximumPeriod: Int64 = 5_000_000_000

    private var last: Int64?
    private var period: Int64?
    /// Time from the first to the last report of the last epoch that had the content. Unit: ns.
    private(set) var delay: Int64 = 0

    mutating func take(_ time: Int64, delay: Int64) {
        self.delay = delay
        guard time != last else { return }
        period = last.flatMap { time > $0 && time - $0 <= Self.maximumPeriod ? time - $0 : nil }
        last = time
    }

    /// Whether the content is so rare that an epoch is held for it only when it is due.
    func isSparse(interval: Int64?) -> Bool {
        guard let interval, let period else { return false }
        return period / Int64(EpochExpectation.epochs) > interval
    }

    func isDue(at time: Int64, interval: Int64?) -> Bool {
        guard let interval, let last, let period, isSparse(interval: interval), time > last else { return false }
        return (time - last - period).magnitude <= UInt64(interval / 2)
    }
}
