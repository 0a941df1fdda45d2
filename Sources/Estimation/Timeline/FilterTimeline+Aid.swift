import Model
import State

extension FilterTimeline {
    /// Measurement that corrects, with the time at which it does so. The time is beside it, because it is read far more
    /// often than the measurement, which is copied when read.
    package struct Aid: Sendable, Codable {
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
            case camera(CameraPose)
            case offer(LocalOffer)
        }
    }
}

extension FilterTimeline.Aid.Kind: Codable {
    // Not synthesized: one of these members alone would be described.
    private enum CodingKeys: CodingKey { case fix, magnetic, pressure, doubt, camera, offer }

    func encode(to encoder: any Encoder) throws {
        var (fix, magnetic, pressure, doubt): (LocalFix?, MagneticSample?, PressureHeight?, HeadingReading?)
        var (camera, offer): (CameraPose?, LocalOffer?)
        switch self {
        case .fix(let own): fix = own
        case .magnetic(let own): magnetic = own
        case .pressure(let own): pressure = own
        case .doubt(let own): doubt = own
        case .camera(let own): camera = own
        case .offer(let own): offer = own
        }
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(fix, forKey: .fix)
        try members.encodeIfPresent(magnetic, forKey: .magnetic)
        try members.encodeIfPresent(pressure, forKey: .pressure)
        try members.encodeIfPresent(doubt, forKey: .doubt)
        try members.encodeIfPresent(camera, forKey: .camera)
        try members.encodeIfPresent(offer, forKey: .offer)
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
        ]
        guard let kind = kinds.compactMap(\.self).first else { throw StateFlaw.impossible }
        self = kind
    }
}
