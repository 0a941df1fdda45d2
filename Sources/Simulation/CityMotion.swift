import Geometry

/// What the wearer does.
public enum CityMotion: String, CaseIterable, Hashable, Sendable {
    /// Walks round after round through the streets, with pauses.
    case walk
    /// Sits and looks around.
    case sit
    /// Walks to a bus stop, then rides a bus round after round.
    case ride
}

/// A motion as a function of time, differentiated exactly.
protocol WearerMotion: Sendable {
    /// Duration of one round, without what comes before the first one; 0 where there are none. Unit: seconds.
    var roundSeconds: Double { get }
    /// Length of the way after which the streets are the same again. Unit: metres.
    var roundMetres: Double { get }

    /// - Parameter seconds: time since the start; before it the wearer is still.
    func placement(at seconds: Double) -> Placement
}

extension CityMotion {
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
