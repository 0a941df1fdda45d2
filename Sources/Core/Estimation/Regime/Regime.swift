/// What the filter may assume at present: how the wearer moves, what aids the estimate, and what is known of the
/// heading.
///
/// The filter has one regime at a time, determined at each tick, fix and step from its detectors; `rules` says what
/// applies in it. Nothing else asks the detectors which part of the model holds.
package struct Regime: Hashable, Sendable, Codable {
    /// Motion of the wearer.
    package enum Motion: UInt8, CaseIterable, Hashable, Sendable, Codable {
        /// The body stays in place, nearly certainly, also where it turns.
        case rest
        /// The wearer walks: detected steps follow each other.
        case foot
        /// A vehicle carries the wearer.
        case riding
        /// Any other motion, of a hand, a head or a body.
        case free
    }

    /// Measurement of the motion from outside.
    package enum Aiding: UInt8, CaseIterable, Hashable, Sendable, Codable {
        /// A stream of fixes measures position and velocity.
        case satellites
        /// Single fixes place the wearer, but measure no motion: those of a network, or one at a door.
        case weak
        /// No fix is recent.
        case none
    }

    /// Knowledge of the heading.
    package enum Heading: UInt8, CaseIterable, Hashable, Sendable, Codable {
        /// Any heading is possible.
        case unknown
        /// By the magnetometer or one hypothesis of several; motion has not confirmed it.
        case unconfirmed
        /// Confirmed by motion under satellites.
        case known
    }

    package var motion = Motion.free
    package var aiding = Aiding.none
    package var heading = Heading.unknown
    /// Whether the accelerometer measures; it is silent after a failure of its bus or driver.
    package var hasForce = true

    package init() {}

    /// Every regime, in the order of its parts.
    package static var all: [Regime] {
        var all: [Regime] = []
        for hasForce in [true, false] {
            for aiding in Aiding.allCases {
                for motion in Motion.allCases {
                    for heading in Heading.allCases {
                        var regime = Regime()
                        (regime.motion, regime.aiding, regime.heading) = (motion, aiding, heading)
                        regime.hasForce = hasForce
                        all.append(regime)
                    }
                }
            }
        }
        return all
    }
}
