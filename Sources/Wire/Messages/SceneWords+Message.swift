import Geometry
import Scene
import WaymarkInterface

extension Placement.Kind {
    package var message: SceneInterface.PlacementKind {
        switch self {
        case .place: .place
        case .cluster: .cluster
        case .route: .route
        case .arrow: .arrow
        case .node: .node
        case .start: .start
        case .turn: .turn
        case .destination: .destination
        case .anchor: .anchor
        }
    }
}

extension Placement.Lock {
    package var message: SceneInterface.Lock {
        switch self {
        case .scene: .scene
        case .head: .head
        }
    }
}

extension SizePolicy {
    package var message: SceneInterface.SizePolicy {
        switch self {
        case .fading: .fading
        case .angular: .angular
        case .metric: .metric
        }
    }
}

extension DistanceBand {
    package var message: SceneInterface.DistanceBand {
        switch self {
        case .near: .near
        case .middle: .middle
        case .far: .far
        }
    }
}

extension RouteTurn.Side {
    package var message: SceneInterface.Side { self == .left ? .left : .right }
}

extension RouteTurn.Kind {
    package var message: SceneInterface.TurnKind {
        switch self {
        case .bend: .bend
        case .slight: .slight
        case .normal: .normal
        case .sharp: .sharp
        case .uturn: .uturn
        case .keep: .keep
        case .roundabout: .roundabout
        }
    }
}

extension Daylight {
    package var message: SceneInterface.Daylight {
        switch self {
        case .day: .day
        case .civilTwilight: .civilTwilight
        case .night: .night
        }
    }
}

extension FrameReadiness.Reasons {
    package var message: WordSet<SceneInterface.ReadinessReason> { WordSet(bits: UInt64(rawValue)) }
}

extension FrameReadiness.State {
    package var message: SceneInterface.Readiness {
        switch self {
        case .searching: .searching
        case .ready: .ready
        case .lost: .lost
        case .stuck: .stuck
        }
    }
}

extension RouteProgress.State {
    package var message: SceneInterface.RouteState {
        switch self {
        case .following: .following
        case .offRoute: .offRoute
        case .arrived: .arrived
        }
    }

    var eventKind: SceneInterface.EventKind {
        switch self {
        case .following: .onRoute
        case .offRoute: .offRoute
        case .arrived: .arrived
        }
    }
}

extension Announcement.Kind {
    package var message: SceneInterface.AnnouncementKind {
        switch self {
        case .start: .start
        case .resumed: .resumed
        case .turn: .turn
        case .destination: .destination
        case .arrived: .arrived
        case .offRoute: .offRoute
        case .backOnRoute: .backOnRoute
        }
    }
}
