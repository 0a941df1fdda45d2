/// Value that belongs to the state of the estimator.
///
/// One list of members serves all purposes: the coder reads each member, replaces it, or notes its name and kind.
package protocol StateCoded {
    /// Passes every stored property to the coder, in an order that never depends on anything but earlier properties.
    ///
    /// Settings and what follows from other members are named by `StateCoder.leave`; a test compares both lists with
    /// the type, so that a new member cannot be forgotten.
    mutating func code(_ coder: inout StateCoder)
}

/// State that can be made without anything known, as a place to read into.
package protocol BlankState: StateCoded {
    /// Value that reading replaces as a whole.
    static var blank: Self { get }
}

/// Writes, reads or describes the state of the estimator as a sequence of 64-bit words.
///
/// What is read comes from a file, and anything may stand there: every number must be finite and of a possible size,
/// every count and index within its array, every case of an enumeration one that exists. The first flaw ends the
/// reading, and the half-read value is of no use.
package struct StateCoder {
    /// What the coder does with the members that pass.
    package enum Mode: Sendable {
        case writing
        case reading
        /// Notes names and kinds, whatever the values.
        case describing
    }

    package let mode: Mode
    /// What has been written, or is read.
    package private(set) var words: [UInt64]
    private var next = 0
    /// Added to each time that is read. Unit: nanoseconds.
    private let timeShift: Int64
    /// Name of the member at which reading or writing failed first; nil without a flaw.
    package private(set) var flaw: String?
    /// Name of the member that passes, for the flaw.
    private var name: StaticString = "state"
    /// Hash of names and kinds so far, while describing: FNV-1a with 64 bits.
    package private(set) var layout: UInt64 = 0xCBF2_9CE4_8422_2325
    /// Names at each open level, while describing for an observer.
    private var levels: [[String]] = [[]]
    /// Called with each value and the names of its members, while describing.
    private let observer: ((Any, [String]) -> Void)?

    /// Largest magnitude of a number: that of a covariance is 1e12, and a product of three of them stays finite.
    private static let largest = 1e16
    /// Range of the counts that only grow, far from any overflow.
    package static let counts = 0...(1 << 48)

    private init(
        _ mode: Mode, _ words: [UInt64], timeShift: Int64 = 0, observer: ((Any, [String]) -> Void)? = nil
    ) {
        self.timeShift = timeShift
        self.mode = mode
        self.words = words
        self.observer = observer
    }

    /// Coder that writes.
    package static func writer(capacity: Int) -> StateCoder {
        var coder = StateCoder(.writing, [])
        coder.words.reserveCapacity(capacity)
        return coder
    }

    /// Coder that reads what another has written.
    ///
    /// - Parameter timeShift: added to each time. Unit: nanoseconds.
    package static func reader(_ words: [UInt64], timeShift: Int64) -> StateCoder {
        StateCoder(.reading, words, timeShift: timeShift)
    }

    /// Coder that describes.
    ///
    /// - Parameter observer: called with each value that has named members, and with the names.
    package static func describer(observer: ((Any, [String]) -> Void)? = nil) -> StateCoder {
        StateCoder(.describing, [], observer: observer)
    }

    /// Whether the state is being replaced.
    package var isReading: Bool { mode == .reading }

    /// Whether everything was read, and nothing is left.
    package var isComplete: Bool { flaw == nil && next == words.count }

    // MARK: Members

    /// Passes a member.
    package mutating func code<Value: StateCoded>(_ value: inout Value, _ name: StaticString) {
        code(&value, name) { $0.code(&$1) }
    }

    /// Passes a member whose type needs more than the coder.
    package mutating func code<Value>(
        _ value: inout Value, _ name: StaticString, by pass: (inout Value, inout StateCoder) -> Void
    ) {
        self.name = name
        guard mode == .describing else { return pass(&value, &self) }
        describe(name)
        enter(&value, pass)
    }

    /// Passes a value without a name of its own, as a part of the member that passes.
    package mutating func element<Value: StateCoded>(_ value: inout Value) {
        guard mode == .describing else { return value.code(&self) }
        enter(&value) { $0.code(&$1) }
    }

    private mutating func enter<Value>(_ value: inout Value, _ pass: (inout Value, inout StateCoder) -> Void) {
        levels.append([])
        hash("{")
        pass(&value, &self)
        hash("}")
        let names = levels.removeLast()
        if !names.isEmpty { observer?(value, names) }
    }

    /// Passes an optional member.
    ///
    /// - Parameter blank: what an absent value is replaced by before it is read.
    package mutating func code<Value: StateCoded>(
        _ value: inout Value?, _ name: StaticString, blank: @autoclosure () -> Value
    ) {
        self.name = name
        var isPresent = value != nil
        describe(name)
        flag(&isPresent)
        switch mode {
        case .writing: value?.code(&self)
        case .reading:
            value = nil
            guard isPresent, flaw == nil else { return }
            var read = blank()
            read.code(&self)
            value = read
        case .describing:
            var sample = value ?? blank()
            element(&sample)
        }
    }

    /// Passes an optional member.
    package mutating func code<Value: BlankState>(_ value: inout Value?, _ name: StaticString) {
        code(&value, name, blank: .blank)
    }

    /// Passes the elements of a queue, up to its capacity.
    package mutating func code<Value: StateCoded>(
        _ ring: inout Ring<Value>, _ name: StaticString, blank: @autoclosure () -> Value
    ) {
        var count = ring.count
        code(&count, name, in: 0...ring.capacity)
        switch mode {
        case .writing:
            for index in 0..<count {
                var element = ring[index]
                element.code(&self)
            }
        case .reading:
            ring.removeAll()
            let blank = blank()
            for _ in 0..<count where flaw == nil {
                var element = blank
                element.code(&self)
                ring.append(element)
            }
        case .describing:
            hash(UInt64(ring.capacity))
            var sample = blank()
            element(&sample)
        }
    }

    /// Passes the elements of a queue, up to its capacity.
    package mutating func code<Value: BlankState>(_ ring: inout Ring<Value>, _ name: StaticString) {
        code(&ring, name, blank: .blank)
    }

    /// Passes an array that is empty or full.
    package mutating func code<Value: StateCoded>(
        _ array: inout [Value], _ name: StaticString, full: Int, blank: @autoclosure () -> Value
    ) {
        var isFull = !array.isEmpty
        describe(name)
        flag(&isFull)
        switch mode {
        case .writing:
            guard isFull else { return }
            require(array.count == full)
            for index in array.indices { array[index].code(&self) }
        case .reading:
            array = []
            guard isFull, flaw == nil else { return }
            let blank = blank()
            array.reserveCapacity(full)
            for _ in 0..<full where flaw == nil {
                array.append(blank)
                array[array.count - 1].code(&self)
            }
        case .describing:
            hash(UInt64(full))
            var sample = blank()
            element(&sample)
        }
    }

    /// Passes one of the listed values.
    package mutating func code<Value: Equatable>(_ value: inout Value, _ name: StaticString, among all: [Value]) {
        var index = all.firstIndex(of: value) ?? -1
        code(&index, name, in: 0...(all.count - 1))
        if mode == .describing { hash(UInt64(all.count)) }
        if isReading, all.indices.contains(index) { value = all[index] }
    }

    /// Passes one of the listed values, or nil.
    package mutating func code<Value: Equatable>(_ value: inout Value?, _ name: StaticString, among all: [Value]) {
        code(&value, name, among: [nil] + all.map(Optional.some))
    }

    /// Passes a set of the first `bits` options.
    package mutating func code<Value: OptionSet>(_ value: inout Value, _ name: StaticString, bits: Int)
    where Value.RawValue: FixedWidthInteger {
        var raw = Int(truncatingIfNeeded: value.rawValue)
        code(&raw, name, in: 0...((1 << bits) - 1))
        if isReading, let known = Value.RawValue(exactly: raw) { value = Value(rawValue: known) }
    }

    /// Passes an integer within a range.
    package mutating func code(_ value: inout Int, _ name: StaticString, in range: ClosedRange<Int>) {
        self.name = name
        describe(name)
        let word = word(UInt64(bitPattern: Int64(value)), "integer")
        let passed = Int(truncatingIfNeeded: Int64(bitPattern: word))
        guard mode != .describing else { return }
        guard range.contains(passed) else {
            if isReading { value = range.lowerBound }
            return refuse()
        }
        value = passed
    }

    /// Passes a number within a range.
    package mutating func code(_ value: inout Double, _ name: StaticString, in range: ClosedRange<Double>) {
        code(&value, name)
        guard mode != .describing, flaw == nil, !range.contains(value) else { return }
        refuse()
    }

    /// Names members that are no part of the state: settings, and what follows from other members.
    package mutating func leave(_ names: String...) {
        guard mode == .describing else { return }
        levels[levels.count - 1] += names
    }

    /// Refuses what is read unless a condition holds, beyond those of each single member.
    package mutating func require(_ condition: @autoclosure () -> Bool) {
        guard mode != .describing, flaw == nil, !condition() else { return }
        refuse()
    }

    // MARK: Words

    mutating func number(_ value: inout Double) {
        let read = Double(bitPattern: word(value.bitPattern, "number"))
        guard isReading, flaw == nil else { return }
        guard read.magnitude <= Self.largest else { return refuse() }
        value = read
    }

    /// A number that is above zero, or infinite while nothing is known.
    mutating func numberOrInfinity(_ value: inout Double) {
        let read = Double(bitPattern: word(value.bitPattern, "number or infinity"))
        guard isReading, flaw == nil else { return }
        guard read >= 0 else { return refuse() }
        value = read
    }

    mutating func flag(_ value: inout Bool) {
        let read = word(value ? 1 : 0, "flag")
        guard isReading, flaw == nil else { return }
        guard read <= 1 else { return refuse() }
        value = read == 1
    }

    mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(_ value: inout Value, upTo most: Value) {
        let read = word(UInt64(value), "unsigned integer")
        guard isReading, flaw == nil else { return }
        guard read <= UInt64(most) else { return refuse() }
        value = Value(truncatingIfNeeded: read)
    }

    /// A time in nanoseconds.
    mutating func time(_ value: inout Int64, within most: UInt64) {
        let read = Int64(bitPattern: word(UInt64(bitPattern: value), "time"))
        guard isReading, flaw == nil else { return }
        let (shifted, overflow) = read.addingReportingOverflow(timeShift)
        guard read.magnitude <= most, !overflow, shifted.magnitude <= most else { return refuse() }
        value = shifted
    }

    /// The one place that every word passes.
    private mutating func word(_ value: UInt64, _ kind: StaticString) -> UInt64 {
        switch mode {
        case .writing:
            words.append(value)
            return value
        case .reading:
            guard flaw == nil else { return 0 }
            guard next < words.count else {
                refuse()
                return 0
            }
            defer { next += 1 }
            return words[next]
        case .describing:
            hash(kind)
            return value
        }
    }

    private mutating func refuse() { flaw = flaw ?? name.description }

    // MARK: Description

    private mutating func describe(_ name: StaticString) {
        guard mode == .describing else { return }
        hash(name)
        if observer != nil { levels[levels.count - 1].append(name.description) }
    }

    private mutating func hash(_ text: StaticString) {
        text.withUTF8Buffer { for byte in $0 { hash(byte: byte) } }
        hash(byte: 0)
    }

    private mutating func hash(_ number: UInt64) {
        for shift in stride(from: 0, to: 64, by: 8) { hash(byte: UInt8(truncatingIfNeeded: number >> UInt64(shift))) }
    }

    private mutating func hash(byte: UInt8) { layout = (layout ^ UInt64(byte)) &* 0x100_0000_01B3 }
}
