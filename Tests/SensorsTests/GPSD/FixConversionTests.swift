import Geometry
import Model
import Sensors
import Testing

@Suite("From gpsd's report to a fix")
struct FixConversionTests {
    private static let second: Int64 = 1_000_000_000
    /// UTC of the epochs in these tests, and boot time less UTC.
    private static let utc: Int64 = 1_700_000_000 * second
    private static let offset: Int64 = utc - 500 * second

    private func epoch(_ change: (inout GPSDReport.FixReport) -> Void = { _ in }) -> EpochAssembler.Epoch {
        var fix = GPSDReport.FixReport()
        fix.time = Self.utc
        fix.position = .init(latitudeDegrees: 48, longitudeDegrees: 11)
        change(&fix)
        let arrival = 500 * Self.second + 300_000_000
        return EpochAssembler.Epoch(fix: fix, time: Self.utc, sigmas: nil, arrival: arrival)
    }

    private let conversion = FixConversion(errorConfidence: 0.95, latencySeconds: 0.2)

    @Test("a fix carries the antenna's place on the board")
    func antenna() throws {
        let arm = Vector3(0.1, 0.2, -0.05)
        let conversion = FixConversion(errorConfidence: 0.95, latencySeconds: 0.2, antennaInBody: arm)
        #expect(try #require(conversion.fix(epoch(), realtimeOffset: 0)).fix.antennaInBody == arm)
    }

    @Test("the epoch is the receiver's time on boot time, when the system's clock is right")
    func clock() throws {
        let (fix, isClockUsed) = try #require(conversion.fix(epoch(), realtimeOffset: Self.offset))
        #expect(isClockUsed)
        #expect(fix.epoch.nanoseconds == 500 * Self.second)
        #expect(fix.arrival.nanoseconds == 500 * Self.second + 300_000_000)
        #expect(fix.utcSeconds == 1_700_000_000)
    }

    @Test("behaviour 18: a height above the sea becomes ellipsoidal by the separation that is reported, else by EGM96")
    func geoid() throws {
        let reported = epoch {
            $0.position?.seaLevelHeight = 520
            $0.position?.geoidSeparation = 46.5
        }
        let fix = try #require(conversion.fix(reported, realtimeOffset: 0)).fix
        #expect(fix.hasHeight && fix.position.ellipsoidalHeight == 566.5)
        #expect(fix.geoidSeparation == 46.5)
        let both = epoch {
            $0.position?.ellipsoidalHeight = 566
            $0.position?.seaLevelHeight = 520
        }
        #expect(try #require(conversion.fix(both, realtimeOffset: 0)).fix.geoidSeparation == 46)
        let sea = epoch { $0.position?.seaLevelHeight = 520 }
        let alone = try #require(conversion.fix(sea, realtimeOffset: 0)).fix
        #expect(alone.hasHeight && alone.geoidSeparation == nil)
        #expect(abs(alone.position.ellipsoidalHeight - 520 - Geoid.undulation(at: alone.position)) < 1e-9)
        var geoid = ReceiverGeoid()
        geoid.learn(46.5)
        let later = try #require(conversion.fix(sea, realtimeOffset: 0, geoid: geoid)).fix
        #expect(later.position.ellipsoidalHeight == 566.5)
    }

    @Test(
        "with a clock that is not set, the epoch is the arrival less the usual latency",
        arguments: [-1_700_000_000, -3600, -1, 2, 4, 3600, 1_000_000_000] as [Int64])
    func wrongClock(error: Int64) throws {
        let offset = Self.offset + error * Self.second
        let (fix, isClockUsed) = try #require(conversion.fix(epoch(), realtimeOffset: offset))
        #expect(!isClockUsed)
        #expect(fix.epoch.nanoseconds == 500 * Self.second + 100_000_000)
    }

    @Test("gpsd's errors become standard deviations by the confidence that they are said to have")
    func confidence() throws {
        // Tables of the normal and of the Rayleigh distribution.
        for (confidence, linear, circular) in [
            (0.95, 1.95996, 2.44775), (0.6827, 1.0, 1.51517), (0.5, 0.67449, 1.17741),
        ] {
            let conversion = FixConversion(errorConfidence: confidence, latencySeconds: 0.2)
            let axes = epoch {
                $0.eastError = 10
                $0.northError = 20
                $0.verticalError = 30
            }
            let sigma = try #require(conversion.fix(axes, realtimeOffset: 0)).fix.positionSigma
            #expect(abs(try #require(sigma.east) * linear - 10) < 0.01)
            #expect(abs(try #require(sigma.north) * linear - 20) < 0.01)
            #expect(abs(try #require(sigma.up) * linear - 30) < 0.01)
            let circle = epoch {
                $0.horizontalError = 10
                $0.eastError = 99
                $0.northError = 99
            }
            let radial = try #require(conversion.fix(circle, realtimeOffset: 0)).fix.positionSigma
            #expect(abs(try #require(radial.east) * circular - 10) < 0.01)
            #expect(radial.north == radial.east)
            #expect(radial.up == nil)
        }
    }

    /// Standard deviations of a solution with a circular error, which gpsd estimated unless it is the receiver's.
    private func sigma(
        _ solution: GPSDReport.Solution, _ error: Double?, own: Double? = nil, isEstimated: Bool = true,
        spatial: Double? = nil
    ) throws -> GNSSFix.PositionSigma {
        var reported = epoch {
            $0.solution = solution
            $0.horizontalError = error
            $0.verticalError = error
            $0.positionError = spatial
        }
        reported.isErrorEstimated = isEstimated
        reported.sigmas = own.map { .init(time: Self.utc, east: $0, north: $0, up: $0) }
        return try #require(conversion.fix(reported, realtimeOffset: 0)).fix.positionSigma
    }

    @Test("carrier phase solutions without an accuracy of their own get that of their kind, not that of code")
    func rtk() throws {
        // 13.3 m is what gpsd makes of an HDOP of 0.7, whatever the solution.
        let fixed = try sigma(.rtkFixed, 13.3)
        let float = try sigma(.rtkFloat, 13.3)
        let code = try sigma(.plain, 13.3)
        #expect(fixed == .init(east: 0.1, north: 0.1, up: 0.2))
        #expect(float == .init(east: 0.5, north: 0.5, up: 1))
        #expect(abs(try #require(code.east) - 13.3 / 2.44775) < 0.001)
        #expect(try sigma(.differential, 4.5).east == sigma(.plain, 4.5).east)
        // Without any error there is nothing of the receiver's own either.
        #expect(try sigma(.rtkFixed, nil) == fixed)
        // Three times the geometry, three times the error.
        #expect(abs(try #require(sigma(.rtkFixed, 57).east) - 0.3) < 1e-9)
    }

    @Test("a receiver's own accuracy of a carrier phase solution stays, by GST or by its binary protocol")
    func ownAccuracy() throws {
        #expect(try sigma(.rtkFixed, 13.3, own: 0.014) == .init(east: 0.014, north: 0.014, up: 0.014))
        #expect(try sigma(.rtkFloat, 13.3, own: 3) == .init(east: 3, north: 3, up: 3))
        for error in [0.03, 0.34, 2.0, 13.3, 60] {
            for solution in [.rtkFixed, .rtkFloat] as [GPSDReport.Solution] {
                let sigma = try sigma(solution, error, isEstimated: false)
                #expect(abs(try #require(sigma.east) - error / 2.44775) < 1e-5 * error)
                #expect(abs(try #require(sigma.up) - error / 1.95996) < 1e-5 * error)
            }
        }
        // The errors along the axes are the receiver's where there is no other: gpsd estimates both.
        let axes = epoch { ($0.eastError, $0.northError, $0.solution) = (9.79982, 3.91993, .rtkFloat) }
        let sigma = try #require(conversion.fix(axes, realtimeOffset: 0)).fix.positionSigma
        #expect(abs(try #require(sigma.east) - 5) < 1e-5)
        #expect(abs(try #require(sigma.north) - 2) < 1e-5)
    }

    @Test(
        "a receiver's spatial error counts before gpsd's estimate and the kind of solution, not before its own errors")
    func spatialAccuracy() throws {
        for solution in [.plain, .differential, .rtkFixed, .rtkFloat] as [GPSDReport.Solution] {
            for error in [nil, 17.29] as [Double?] {
                let sigma = try sigma(solution, error, spatial: 3)
                #expect(abs(try #require(sigma.east) - 3 / 2.0.squareRoot()) < 1e-9)
                #expect(sigma.north == sigma.east && sigma.up == 3)
            }
            let own = try sigma(solution, 5, isEstimated: false, spatial: 3)
            #expect(abs(try #require(own.east) - 5 / 2.44775) < 1e-4)
        }
    }

    @Test("a height that the receiver holds counts little, whatever gpsd makes of it")
    func heldHeight() throws {
        let held = epoch {
            $0.isHeightHeld = true
            $0.position?.ellipsoidalHeight = 566
            $0.verticalError = 5
        }
        let fix = try #require(conversion.fix(held, realtimeOffset: 0)).fix
        #expect(fix.hasHeight && fix.position.ellipsoidalHeight == 566)
        #expect(fix.positionSigma.up == FixConversion.heldHeightSigma)
    }

    @Test("a fix without a time is stamped by its arrival, with the accuracy that this leaves")
    func timeless() throws {
        var reported = epoch {
            $0.horizontalError = 2.44775 * 3
            $0.verticalError = 1.95996
            ($0.east, $0.north, $0.velocityError) = (1, 0, 0.3)
        }
        reported.time = nil
        let converted = conversion.fix(
            reported, realtimeOffset: Self.offset, latency: 250_000_000,
            uncertainty: .init(position: 4, velocity: 0.4))
        let (fix, isClockUsed) = try #require(converted)
        #expect(!isClockUsed && fix.utcSeconds == nil)
        #expect(fix.epoch.nanoseconds == fix.arrival.nanoseconds - 250_000_000)
        #expect(abs(try #require(fix.positionSigma.east) - 5) < 1e-4)
        #expect(abs(try #require(fix.positionSigma.up) - 1) < 1e-4)
        #expect(abs(try #require(fix.velocitySigma) - 0.5) < 1e-9)
    }

    @Test("the accuracy of a velocity that is not reported stays unknown without a time", arguments: [0.0, 1.0])
    func unknownVelocity(speed: Double) throws {
        var reported = epoch { ($0.east, $0.north) = (speed, 0) }
        reported.time = nil
        let converted = conversion.fix(
            reported, realtimeOffset: Self.offset, uncertainty: .init(position: 4, velocity: 0.4))
        #expect(try #require(converted).fix.velocitySigma == nil)
    }

    @Test("GST comes before gpsd's errors, each axis by itself")
    func gst() throws {
        var both = epoch {
            $0.horizontalError = 10
            $0.verticalError = 1.95996
        }
        both.sigmas = .init(time: Self.utc, east: 1, north: 2, up: nil)
        let sigma = try #require(conversion.fix(both, realtimeOffset: 0)).fix.positionSigma
        #expect(sigma.east == 1)
        #expect(sigma.north == 2)
        #expect(abs(try #require(sigma.up) - 1) < 1e-5)
    }

    @Test("the ellipsoidal height comes first, then the one above the sea, then none")
    func height() throws {
        let both = epoch {
            $0.position?.ellipsoidalHeight = 566
            $0.position?.seaLevelHeight = 520
        }
        let sea = epoch { $0.position?.seaLevelHeight = 520 }
        let heights = try [both, sea, epoch()].map { try #require(conversion.fix($0, realtimeOffset: 0)).fix }
        #expect(heights.map(\.hasHeight) == [true, true, false])
        #expect(heights[0].position.ellipsoidalHeight == 566 && heights[2].position.ellipsoidalHeight == 0)
    }
}
