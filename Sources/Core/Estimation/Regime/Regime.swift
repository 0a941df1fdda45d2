/// Current assumptions of the filter: motion of the wearer, aiding of the estimate, and knowledge of the heading.
///
/// The filter has one regime at a time, determined from its detectors at each tick, fix and step. Only the regime
/// decides which parts of the model apply; `rules` lists them.
package struct Regime: Hashable, Sendable, Codable {
    /// Motion of the wearer.
    package enum Motion: UInt8, CaseIterable, Hashable, Sendable, Codable {
        /// The body stays in place, nearly certainly, though it may turn.
        case rest
        /// The wearer walks: detected steps follow each other.
        case foot
        /// A vehicle carries the wearer.
        case riding
        /// Any other motion, of a hand, a head or a body.
        case free
    }

    /// External measurement of the motion.
    package enum Aiding: UInt8, CaseIterable, Hashable, Sendable, Codable {
        /// A stream of fixes measures position and velocity.
        case satellites
        /// Single fixes, from a network or at a door, measure the position, but not the motion.
        case weak
        /// No fix is recent.
        case none
    }

    /// Knowledge of the heading.
    package enum Heading: UInt8, CaseIterable, Hashable, Sendable, Codable {
        /// Any heading is possible.
        case unknown
        /// The heading is from the magnetometer or one of several hypotheses; motion has not confirmed it.
        case unconfirmed
        /// The heading is confirmed by motion under satellites.
        case known
    }

    package var motion = Motion.free
    package var aiding = Aiding.none
    package var heading = Heading.unknown
    /// Whether the accelerometer measures; it is silent after a failure of its bus or driver.
    package var hasForce = true

    package init() {}

    /// Every regime, in a fixed order.
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
