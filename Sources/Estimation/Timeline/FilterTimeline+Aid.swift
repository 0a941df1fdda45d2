import Model

extension FilterTimeline {
    /// Measurement that corrects, with the time at which it does so. The time is beside it, because it is read far more
    /// often than the measurement, which is copied when read.
    package struct Aid: Sendable {
        private(set) var time: BootTime
        var kind: Kind
        /// Whether its first application is counted. It is behind the kind, in bytes that would be padding.
        var isCounted = false

        init(time: BootTime, kind: Kind) {
            self.time = time
            self.kind = kind
        }

        enum Kind: Sendable {
            case fix(LocalFix)
            case magnetic(MagneticSample)
            case pressure(PressureHeight)
            case doubt(HeadingReading)
        }
    }
}

extension FilterTimeline.Aid: BlankState {
    package static var blank: Self { Self(time: .blank, kind: .pressure(.blank)) }

    package mutating func code(_ coder: inout StateCoder) {
        coder.code(&time, "time")
        coder.code(&kind, "kind")
        coder.leave("isCounted")
    }
}

extension FilterTimeline.Aid.Kind: StateCoded {
    mutating func code(_ coder: inout StateCoder) {
        var (fix, magnetic) = (LocalFix.blank, MagneticSample.blank)
        var (pressure, doubt) = (PressureHeight.blank, HeadingReading.blank)
        var number = 0
        switch self {
        case .fix(let own): (number, fix) = (0, own)
        case .magnetic(let own): (number, magnetic) = (1, own)
        case .pressure(let own): (number, pressure) = (2, own)
        case .doubt(let own): (number, doubt) = (3, own)
        }
        coder.code(&number, "number", in: 0...3)
        let isAny = coder.mode == .describing
        if isAny || number == 0 { coder.element(&fix) }
        if isAny || number == 1 { coder.element(&magnetic) }
        if isAny || number == 2 { coder.element(&pressure) }
        if isAny || number == 3 { coder.element(&doubt) }
        guard coder.isReading else { return }
        switch number {
        case 0: self = .fix(fix)
        case 1: self = .magnetic(magnetic)
        case 2: self = .pressure(pressure)
        default: self = .doubt(doubt)
        }
    }
}
