import Estimation

extension Regime {
    /// Every regime, in a fixed order.
    static var all: [Regime] {
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
