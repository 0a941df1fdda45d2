import Geometry
import Simulation

/// Sequence of actions with a board; each begins in the pose in which the previous one ended.
public struct Handling: Hashable, Sendable {
    var steps: [HandlingStep]

    public static func + (a: Handling, b: Handling) -> Handling { Handling(steps: a.steps + b.steps) }

    public static func still(seconds: Double) -> Handling { Handling(steps: [.still(seconds: seconds)]) }

    /// Poses in which each direction of the body is up in turn, with a random heading, held for some time.
    public static func poses(_ ups: [Vector3], holdSeconds: Double, moveSeconds: Double) -> Handling {
        Handling(
            steps: ups.flatMap { [.pose(up: $0, seconds: moveSeconds), .still(seconds: holdSeconds)] })
    }

    /// Poses spread evenly over the sphere by the golden angle.
    public static func poses(count: Int, holdSeconds: Double, moveSeconds: Double) -> Handling {
        let ups = (0..<count).map { index in
            let height = 1 - (2 * Double(index) + 1) / Double(count)
            let angle = Double(index) * .pi * (3 - 5.0.squareRoot())
            let radius = (1 - height * height).squareRoot()
            let turn = Rotation3.about(Vector3(0, 1, 0), by: angle)
            return turn * Vector3(radius, height, 0)
        }
        return poses(ups, holdSeconds: holdSeconds, moveSeconds: moveSeconds)
    }

    /// Poses on the six faces of a box, then rotations about its three edges.
    ///
    /// - Parameter turn: angle about each edge. Unit: radians.
    public static func faces(holdSeconds: Double, moveSeconds: Double, turn: Double = 2 * .pi) -> Handling {
        let axes = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)]
        var handling = poses(
            axes.flatMap { [$0, -$0] }, holdSeconds: holdSeconds, moveSeconds: moveSeconds)
        for axis in axes {
            // On the face with the edge vertical, so that the box stays on the table.
            handling.steps += [
                .pose(up: axis, seconds: moveSeconds), .still(seconds: holdSeconds),
                .turn(axis: axis, angle: turn, seconds: 2 * moveSeconds), .still(seconds: holdSeconds),
            ]
        }
        return handling
    }

    /// A rotation about an axis of the body. Units: radians, seconds.
    public static func turn(about axis: Vector3, by angle: Double, seconds: Double) -> Handling {
        Handling(steps: [.turn(axis: axis, angle: angle, seconds: seconds)])
    }

    /// Rotation through all headings with tilts to all sides up to a limit; from a horizontal pose, half a turn covers
    /// the sphere.
    public static func turning(maximumTilt: Double, seconds: Double) -> Handling {
        Handling(steps: [.sweep(maximumTilt: maximumTilt, seconds: seconds)])
    }

    /// Oscillation in pitch, as a disturbance of a rest. Unit: radians.
    public static func nodding(angle: Double, period: Double = 1.5, seconds: Double) -> Handling {
        Handling(steps: [.nod(angle: angle, period: period, seconds: seconds)])
    }

    /// A walk straight ahead from rest to rest.
    package static func walk(metres: Double, style: WalkStyle = WalkStyle()) -> Handling {
        Handling(steps: [.walk(metres: metres, style: style)])
    }

    /// Stands and walks in alternation; further walks go there and back, with a turn on the spot between.
    package static func straightWalks(
        _ count: Int = 1, standSeconds: Double, metres: Double, style: WalkStyle = WalkStyle()
    ) -> Handling {
        var handling = still(seconds: standSeconds)
        for index in 0..<count {
            if index > 0 {
                handling = handling + turn(about: Vector3(0, 1, 0), by: .pi, seconds: 2.5) + still(seconds: 3.5)
            }
            handling = handling + walk(metres: metres, style: style) + still(seconds: 3)
        }
        return handling
    }
}
