import Geometry
import Glibc
import Model
import Scene

/// Places, and a walk of ten minutes among them, composed ten times a second. Metres east and north.
struct LabelWalk {
    typealias Point = (east: Double, north: Double)

    enum Town: CaseIterable, Sendable {
        /// Streets every 90 m, with a turn at every third crossing.
        case grid
        /// Along one street, from end to end.
        case street
        /// Places and ways in all directions.
        case scattered
        /// Round and round a square, with places on its sides.
        case square
        /// Along one street and back.
        case thereAndBack
    }

    static let rate = 10.0
    static let seconds = 600.0
    static let speed = 1.3

    private(set) var places: [Point] = []
    /// Of the wearer, with the noise of the position.
    private(set) var track: [Point] = []

    /// - Parameter noise: of the position, slowly wandering; standard deviation along each axis, metres.
    init(_ town: Town, seed: UInt64, count: Int = 60, noise: Double = 2) {
        var draws = Draws(state: seed)
        let corners = Self.corners(town, &draws)
        while places.count < count { places.append(Self.place(town, among: corners, &draws)) }
        walk(corners, noise: noise, &draws)
    }

    private static func corners(_ town: Town, _ draws: inout Draws) -> [Point] {
        var corners: [Point] = [(0, 0)]
        switch town {
        case .grid:
            var heading = Int.random(in: 0..<4, using: &draws)
            while corners.count < 10 {
                let (east, north) = [(0.0, 90.0), (90, 0), (0, -90), (-90, 0)][heading % 4]
                corners.append((corners[corners.count - 1].east + east, corners[corners.count - 1].north + north))
                heading += [0, 1, 3, 0][Int.random(in: 0..<4, using: &draws)]
            }
        case .street: corners.append((800, 30))
        case .thereAndBack: corners += [(400, 0), (0, 0)]
        case .scattered:
            while corners.count < 12 {
                let (leg, angle) = (draws.number(40...120), draws.number(-3.1...3.1))
                let last = corners[corners.count - 1]
                let next = (last.east + leg * sin(angle), last.north + leg * cos(angle))
                if abs(next.0) < 200, abs(next.1) < 200 { corners.append(next) }
            }
        case .square:
            for lap in 0..<4 {
                let side = 50.0 + Double(lap)
                corners += [(side, side), (-side, side), (-side, -side), (side, -side)]
            }
        }
        return corners
    }

    private static func place(_ town: Town, among corners: [Point], _ draws: inout Draws) -> Point {
        func side(_ range: ClosedRange<Double>) -> Double {
            draws.number(range) * (Bool.random(using: &draws) ? 1 : -1)
        }
        switch town {
        case .grid:
            while true {
                let street = draws.number(-8...8).rounded() * 90 + side(6...16)
                let along = draws.number(-1000...1000)
                let place = Bool.random(using: &draws) ? (along, street) : (street, along)
                let isNear = corners.contains { abs($0.east - place.0) < 120 && abs($0.north - place.1) < 120 }
                if isNear { return place }
            }
        case .street: return (draws.number(-100...900), side(7...14))
        case .thereAndBack: return (draws.number(-100...500), side(7...14))
        case .scattered: return (draws.number(-350...350), draws.number(-350...350))
        case .square:
            let (along, across) = (draws.number(-80...80), side(75...95))
            return Bool.random(using: &draws) ? (along, across) : (across, along)
        }
    }

    private mutating func walk(_ corners: [Point], noise: Double, _ draws: inout Draws) {
        var error: Point = (0, 0)
        var here = corners[0]
        var next = 1
        let step = Self.speed / Self.rate
        // An error of satellites wanders over half a minute; a few centimetres are the pose's own.
        let keep = exp(-1 / (Self.rate * 30))
        let kick = noise * (1 - keep * keep).squareRoot()
        for _ in 0..<Int(Self.seconds * Self.rate) {
            if next < corners.count {
                let (east, north) = (corners[next].east - here.east, corners[next].north - here.north)
                let left = hypot(east, north)
                if left <= step {
                    here = corners[next]
                    next += 1
                } else {
                    here = (here.east + east / left * step, here.north + north / left * step)
                }
            }
            error = (keep * error.east + kick * draws.normal(), keep * error.north + kick * draws.normal())
            let jitter = noise > 0 ? 0.03 : 0
            track.append(
                (
                    here.east + error.east + jitter * draws.normal(),
                    here.north + error.north + jitter * draws.normal()
                ))
        }
    }

    func time(at step: Int) -> BootTime { BootTime(nanoseconds: Int64(Double(step) * 1e9 / Self.rate)) }

    func requests(at step: Int) -> [LabelRequest] {
        places.enumerated().map { index, place in
            let (east, north) = (place.east - track[step].east, place.north - track[step].north)
            return LabelRequest(id: "p\(index)", azimuth: atan2(east, north), distance: hypot(east, north))
        }
    }

    /// Over the last half second, as an estimator has it. Frame: scene. Unit: m/s.
    func velocity(at step: Int) -> Vector3 {
        let before = max(0, step - 5)
        guard before < step else { return .zero }
        let seconds = Double(step - before) / Self.rate
        return Vector3(
            (track[step].east - track[before].east) / seconds, 0,
            -(track[step].north - track[before].north) / seconds)
    }
}

extension Draws {
    /// Of the standard normal distribution. Source: Box and Muller, 1958.
    mutating func normal() -> Double {
        (-2 * log(number(0x1p-53...1))).squareRoot() * cos(2 * .pi * number(0...1))
    }
}

extension LabelWalk {
    /// The wearer stays where the walk began, and the noise is that of the walk.
    mutating func stand() {
        var draws = Draws(state: 99)
        walk([(0, 0)], noise: 1, &draws)
        track.removeFirst(track.count / 2)
    }
}
