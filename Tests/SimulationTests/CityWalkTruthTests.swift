import Geometry
import Glibc
import Model
import Simulation
import Testing

@Suite("City walk: truth")
struct CityWalkTruthTests {
    static let start = BootTime(nanoseconds: 5_000_000_000)

    @Test(
        "velocity, acceleration and angular velocity are the derivatives of position and attitude",
        arguments: CityMotion.allCases)
    func derivatives(motion: CityMotion) throws {
        let walk = try makeWalk { $0.motion = motion }
        let worst = DerivativeErrors(of: walk, from: Self.start, instants: 4000, step: 1e-3)
        // Central differences err by h²/6 of the third derivative, below 120 m/s³, 2000 m/s⁴ and 100 rad/s³; the engine
        // of a bus shakes with up to 15 000 m/s⁴.
        #expect(worst.velocity < 2e-5)
        #expect(worst.acceleration < (motion == .ride ? 2.5e-3 : 4e-4))
        #expect(worst.angular < 2e-5)
    }

    @Test("acceleration and angular velocity have no step anywhere in two rounds", arguments: CityMotion.allCases)
    func smooth(motion: CityMotion) throws {
        let walk = try makeWalk(seed: 3) { $0.motion = motion }
        var before = walk.truth(at: Self.start)
        var jolt = 0.0
        var angularJolt = 0.0
        for index in 1..<Int((2 * walk.roundSeconds + 120) / 2e-3) {
            let now = walk.truth(at: Self.start.later(by: 2e-3 * Double(index)))
            jolt = max(jolt, (now.accelerationENU - before.accelerationENU).norm)
            angularJolt = max(angularJolt, (now.angularVelocityInBody - before.angularVelocityInBody).norm)
            before = now
        }
        // 150 m/s³ and 10 rad/s² over 2 ms: a gait at twice its rate; a step would be far larger.
        #expect(jolt < 0.3)
        #expect(angularJolt < 0.02)
    }

    @Test(
        "the error-free samples, integrated, lead back to the truth",
        arguments: [(1, .walk), (2, .walk), (1, .ride)] as [(UInt64, CityMotion)])
    func strapdown(seed: UInt64, motion: CityMotion) throws {
        let coarse = try integrationError(seed: seed, motion, rate: 1000)
        let fine = try integrationError(seed: seed, motion, rate: 2000)
        // 2.5 minutes at 2 kHz.
        #expect(fine.position < 0.02)
        #expect(fine.velocity < 5e-4)
        #expect(fine.rotation < 2e-6)
        // Nothing but the rule of integration errs: it is of second order.
        #expect(abs(coarse.rotation / fine.rotation - 4) < 0.2)
        #expect(abs(coarse.position / fine.position - 4) < 0.2)
    }

    private func integrationError(
        seed: UInt64, _ motion: CityMotion, rate: Int
    ) throws -> (position: Double, velocity: Double, rotation: Double) {
        var walk = try makeWalk(seed: seed) {
            $0.motion = motion
            $0.inertialRate = rate
            $0.magneticRate = 0
            $0.pressureRate = 0
            $0.fixRate = 0
        }
        let integrated = try integrate(&walk, seconds: 150, origin: CityWalkSettings().origin)
        let truth = walk.truth(at: integrated.time)
        return (
            (truth.positionENU - integrated.position).norm, (truth.velocityENU - integrated.velocity).norm,
            (truth.rotationENUFromBody.inverse * integrated.rotation).log.norm
        )
    }

    struct Integrated {
        var time: BootTime
        var rotation: Rotation3
        var velocity: Vector3
        var position: Vector3
    }

    /// Strap-down navigation written from its equations, on pairs of samples, gravity and earth rate by itself.
    private func integrate(_ walk: inout CityWalk, seconds: Double, origin: GeodeticPosition) throws -> Integrated {
        let latitude = origin.latitudeDegrees * .pi / 180
        let earthRate = Ellipsoid.rotationRate * Vector3(0, cos(latitude), sin(latitude))
        let eastRadius = Ellipsoid.primeVerticalRadius(latitude: latitude) + origin.ellipsoidalHeight
        let northRadius = Ellipsoid.meridianRadius(latitude: latitude) + origin.ellipsoidalHeight
        func accelerationENU(_ forceENU: Vector3, _ state: Integrated) -> Vector3 {
            let gravity = Ellipsoid.normalGravity(
                latitude: latitude + state.position.y / northRadius,
                height: origin.ellipsoidalHeight + state.position.z)
            let down = Vector3(-state.position.x / eastRadius, -state.position.y / northRadius, -1)
            return forceENU + down * gravity - 2 * earthRate.cross(state.velocity)
        }

        let truth = walk.truth(at: Self.start)
        var state = Integrated(
            time: Self.start, rotation: truth.rotationENUFromBody, velocity: truth.velocityENU,
            position: truth.positionENU)
        guard case .specificForce(var last) = walk.next(), case .angularRate(var lastRate) = walk.next() else {
            throw Unexpected()
        }
        while state.time.seconds(since: Self.start) < seconds {
            guard case .specificForce(let force) = walk.next(), case .angularRate(let rate) = walk.next() else {
                throw Unexpected()
            }
            let interval = force.time.seconds(since: state.time)
            let turn = 0.5 * (lastRate.rate + rate.rate) - state.rotation.inverse * earthRate
            let rotation = state.rotation * Rotation3.exp(turn * interval)
            let before = accelerationENU(state.rotation * last.force, state)
            let after = accelerationENU(rotation * force.force, state)
            state.position += state.velocity * interval + (interval * interval / 6) * (2 * before + after)
            state.velocity += (0.5 * interval) * (before + after)
            state.rotation = rotation
            state.time = force.time
            (last, lastRate) = (force, rate)
        }
        return state
    }

    struct Unexpected: Error {}

    @Test("the walker stands still first, level with gravity")
    func opening() throws {
        let walk = try makeWalk()
        let settings = CityWalkSettings()
        let first = walk.truth(at: Self.start)
        let gravity = Ellipsoid.normalGravity(
            latitude: settings.origin.latitudeDegrees * .pi / 180,
            height: settings.origin.ellipsoidalHeight + first.positionENU.z)
        for second in 0..<18 {
            let truth = walk.truth(at: Self.start.later(by: Double(second)))
            #expect((truth.positionENU - first.positionENU).norm < 0.003)
            #expect(truth.velocityENU.norm < 0.003)
            // The sway of a standing body is 2.5 mm/s².
            #expect(abs(truth.specificForceInBody.norm - gravity) < 0.003)
            #expect(truth.angularVelocityInBody.norm < 0.1 * .pi / 180)
        }
        #expect(walk.truth(at: Self.start.later(by: 25)).velocityENU.norm > 0.8)
        #expect(walk.truth(at: Self.start.later(by: -100)).velocityENU.norm < 0.003)
    }

    @Test("the walker keeps to the route, looks ahead and turns into every street")
    func along() throws {
        let walk = try makeWalk()
        let vertices = walk.route.vertices.map { walk.plane.pointENU(of: $0) }
        var nearest = [Double](repeating: .infinity, count: vertices.count)
        var offCourse = 0.0
        var count = 0.0
        for index in 0..<Int((18 + walk.roundSeconds) / 0.05) {
            let truth = walk.truth(at: Self.start.later(by: 0.05 * Double(index)))
            #expect(distance(of: truth.positionENU, from: vertices) < 1.2)
            for (vertex, point) in vertices.enumerated() {
                let offset = point - truth.positionENU
                nearest[vertex] = min(nearest[vertex], (offset.x * offset.x + offset.y * offset.y).squareRoot())
            }
            if truth.velocityENU.norm > 0.7 {
                let course = atan2(truth.velocityENU.x, truth.velocityENU.y)
                offCourse += 1 - cos(course - truth.heading)
                count += 1
            }
        }
        #expect(nearest.allSatisfy { $0 < 1.5 }, "every corner is passed")
        #expect(acos(1 - offCourse / count) < 25 * .pi / 180, "RMS of the head against the course")
    }

    private func distance(of point: Vector3, from vertices: [Vector3]) -> Double {
        vertices.indices.map { index in
            let from = vertices[index]
            let to = vertices[(index + 1) % vertices.count]
            let leg = (to.x - from.x, to.y - from.y)
            let square = leg.0 * leg.0 + leg.1 * leg.1
            let share = ((point.x - from.x) * leg.0 + (point.y - from.y) * leg.1) / square
            let part = min(1, max(0, share))
            let offset = (point.x - from.x - part * leg.0, point.y - from.y - part * leg.1)
            return (offset.0 * offset.0 + offset.1 * offset.1).squareRoot()
        }.min() ?? .infinity
    }

    @Test("the walk never ends")
    func endless() throws {
        let walk = try makeWalk()
        let hours = walk.truth(at: Self.start.later(by: 18 + 1000 * walk.roundSeconds - 1))
        let start = walk.truth(at: Self.start)
        // A thousand rounds later the walker pauses where it began.
        #expect((hours.positionENU - start.positionENU).norm < 0.01)
        let walking = walk.truth(at: Self.start.later(by: 18 + 1000 * walk.roundSeconds + 10))
        #expect(walking.velocityENU.norm > 0.8)
    }

    @Test("places lie within sight of the route and have names of their own")
    func places() throws {
        let walk = try makeWalk()
        let vertices = walk.route.vertices.map { walk.plane.pointENU(of: $0) }
        #expect(Set(walk.places.map(\.id)).count == walk.places.count)
        #expect(walk.places.count >= 5)
        for place in walk.places {
            #expect(distance(of: walk.plane.pointENU(of: place.position), from: vertices) < 25)
        }
    }
}
