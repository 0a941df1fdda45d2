import Model

extension FilterTimeline {
    /// Aiding measurement with the time at which it is applied. The time is stored separately: it is read far more
    /// often than the measurement, which is copied when it is read.
    package struct Aid: Sendable, Codable {
        private(set) var time: BootTime
        var kind: Kind
        /// Whether the first application of the measurement is already counted. Stored after the kind, in bytes that
        /// would otherwise be padding.
        var isCounted = false

        init(time: BootTime, kind: Kind) {
            self.time = time
            self.kind = kind
        }

        /// Whether the measurement may reveal the position of the body.
        var showsPosition: Bool {
            switch kind {
            case .fix, .offer, .camera: true
            case .magnetic, .pressure, .doubt, .matched: false
            }
        }

        /// Whether this measurement is applied before another. Offers with the same time are sorted as well: the ranges
        /// of a tag share one time and arrive in any order, and the result must not depend on the order.
        func isBefore(_ other: Self) -> Bool {
            guard time == other.time else { return time < other.time }
            guard case .offer(let own) = kind, case .offer(let others) = other.kind else {
                return kind.rank < other.kind.rank
            }
            return own.isBefore(others)
        }

        enum Kind: Sendable {
            case fix(LocalFix)
            case magnetic(MagneticSample)
            case pressure(PressureHeight)
            case doubt(HeadingReading)
            case camera(CameraPose)
            case offer(LocalOffer)
            case matched(MatchedPosition)

            /// Order among measurements of the same time. Magnetic samples and heights, which are applied after the
            /// inertial sample, keep their order of arrival.
            var rank: Int {
                switch self {
                case .fix: 0
                case .camera: 1
                case .offer: 2
                case .doubt: 3
                case .magnetic, .pressure: 4
                case .matched: 5
                }
            }
        }
    }
}

extension LocalOffer {
    /// Whether this offer is applied before another offer with the same time: a place comes first, because others
    /// depend on it.
    fileprivate func isBefore(_ other: LocalOffer) -> Bool {
        guard kind == other.kind else { return kind.rawValue < other.kind.rawValue }
        guard source == other.source else { return source.text < other.source.text }
        let (own, others) = (directionInBody, other.directionInBody)
        return (point.x, point.y, point.z, range, own.x, own.y) < (
            other.point.x, other.point.y, other.point.z, other.range, others.x, others.y
        )
    }
}

extension FilterTimeline.Aid.Kind: Codable {
    // Not synthesised, because the layout of a saved state would then describe only one of these members.
    private enum CodingKeys: CodingKey { case fix, magnetic, pressure, doubt, camera, offer, matched }

    func encode(to encoder: any Encoder) throws {
        var (fix, magnetic, pressure, doubt): (LocalFix?, MagneticSample?, PressureHeight?, HeadingReading?)
        var (camera, offer, matched): (CameraPose?, LocalOffer?, MatchedPosition?)
        switch self {
        case .fix(let own): fix = own
        case .magnetic(let own): magnetic = own
        case .pressure(let own): pressure = own
        case .doubt(let own): doubt = own
        case .camera(let own): camera = own
        case .offer(let own): offer = own
        case .matched(let own): matched = own
        }
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(fix, forKey: .fix)
        try members.encodeIfPresent(magnetic, forKey: .magnetic)
        try members.encodeIfPresent(pressure, forKey: .pressure)
        try members.encodeIfPresent(doubt, forKey: .doubt)
        try members.encodeIfPresent(camera, forKey: .camera)
        try members.encodeIfPresent(offer, forKey: .offer)
        try members.encodeIfPresent(matched, forKey: .matched)
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let kinds = [
            try members.decodeIfPresent(LocalFix.self, forKey: .fix).map(Self.fix),
            try members.decodeIfPresent(MagneticSample.self, forKey: .magnetic).map(Self.magnetic),
            try members.decodeIfPresent(PressureHeight.self, forKey: .pressure).map(Self.pressure),
            try members.decodeIfPresent(HeadingReading.self, forKey: .doubt).map(Self.doubt),
            try members.decodeIfPresent(CameraPose.self, forKey: .camera).map(Self.camera),
            try members.decodeIfPresent(LocalOffer.self, forKey: .offer).map(Self.offer),
            try members.decodeIfPresent(MatchedPosition.self, forKey: .matched).map(Self.matched),
        ]
        guard let kind = kinds.compactMap(\.self).first else { throw StateFlaw.impossible }
        self = kind
    }
}
