import Geometry

/// Motion of the simulated wearer.
public enum CityMotion: String, CaseIterable, Hashable, Sendable {
    /// Walking round after round through the streets, with pauses.
    case walk
    /// Sitting and looking around.
    case sit
    /// Walking to a bus stop, then riding a bus round after round.
    case ride
}

/// A motion as a function of time, with exact derivatives.
protocol WearerMotion: Sendable {
    /// Duration of one round, without the opening; 0 without rounds. Unit: seconds.
    var roundSeconds: Double { get }
    /// Length of one round; 0 without rounds. Unit: metres.
    var roundMetres: Double { get }

    /// Placement of the board at a time since the start; the wearer is at rest before it. Unit: seconds.
    func placement(at seconds: Double) -> Placement
}

extension CityMotion {
    /// The motion with random figures drawn from a source.
    func motion(
        in block: CityBlock, openingSeconds: Double, wearing: CityWalkSettings.Wearing, random: inout RandomSource
    ) -> any WearerMotion {
        switch self {
        case .walk where wearing != CityWalkSettings.Wearing():
            CarriedMotion(block: block, openingSeconds: openingSeconds, wearing: wearing, random: &random)
        case .walk: WalkMotion(block: block, openingSeconds: openingSeconds, random: &random)
        case .sit: SitMotion(openingSeconds: openingSeconds, random: &random)
        case .ride: RideMotion(block: block, openingSeconds: openingSeconds, random: &random)
        }
    }
}
