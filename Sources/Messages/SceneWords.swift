import Geodesy
import Scene

/// The words of the Varlink interface `org.waymark.Scene` for the scene's enumerations.
extension Placement.Kind {
    public var word: StaticString {
        switch self {
        case .place: "place"
        case .cluster: "cluster"
        case .route: "route"
        case .arrow: "arrow"
        case .node: "node"
        case .start: "start"
        case .turn: "turn"
        case .destination: "destination"
        case .anchor: "anchor"
        }
    }
}

extension Placement.Lock {
    var word: StaticString {
        switch self {
        case .scene: "scene"
        case .head: "head"
        }
    }
}

extension SizePolicy {
    var word: StaticString {
        switch self {
        case .fading: "fading"
        case .angular: "angular"
        case .metric: "metric"
        }
    }
}

extension DistanceBand {
    var word: StaticString {
        switch self {
        case .near: "near"
        case .middle: "middle"
        case .far: "far"
        }
    }
}

extension RouteTurn.Side {
    public var word: StaticString {
        switch self {
        case .left: "left"
        case .right: "right"
        }
    }
}

extension Daylight {
    public var word: StaticString {
        switch self {
        case .day: "day"
        case .civilTwilight: "civilTwilight"
        case .night: "night"
        }
    }
}

extension RouteTurn.Kind {
    public var word: StaticString {
        switch self {
        case .bend: "bend"
        case .slight: "slight"
        case .normal: "normal"
        case .sharp: "sharp"
        case .uturn: "uturn"
        case .keep: "keep"
        case .roundabout: "roundabout"
        }
    }
}

extension FrameReadiness.State {
    public var word: StaticString {
        switch self {
        case .searching: "searching"
        case .ready: "ready"
        case .lost: "lost"
        case .stuck: "stuck"
        }
    }
}

extension FrameReadiness.Reasons {
    /// In the order of their bits.
    private static let words: [(reason: FrameReadiness.Reasons, word: StaticString)] = [
        (.levelling, "levelling"), (.noInertialData, "noInertialData"), (.positionUnknown, "positionUnknown"),
        (.positionUncertain, "positionUncertain"), (.headingUnknown, "headingUnknown"),
        (.headingUncertain, "headingUncertain"), (.settling, "settling"), (.noGNSSData, "noGNSSData"),
        (.poorGNSS, "poorGNSS"), (.noMagneticData, "noMagneticData"), (.magneticDisturbance, "magneticDisturbance"),
    ]

    public func forEachWord(_ body: (StaticString) -> Void) {
        for (reason, word) in Self.words where contains(reason) { body(word) }
    }
}

extension RouteProgress.State {
    public var word: StaticString {
        switch self {
        case .following: "following"
        case .offRoute: "offRoute"
        case .arrived: "arrived"
        }
    }
}
