import BoardHandling
import Calibration
import Geometry
import Glibc
import Model
import Testing

@Suite("axes of a compass")
struct CompassAxesTests {
    /// Inclination of the field of the simulated site. Unit: radians.
    private static let inclination = 63 * Double.pi / 180

    @Test("each of the 24 rotations is found under the errors of uncalibrated parts, and the fit contains it")
    func allRotations() throws {
        for (index, turn) in AxisTurn.all.enumerated() {
            for seed in [UInt64(index + 1), UInt64(index + 101)] {
                let compass = TurnedCompass(turn.inverse.matrix, seed: seed)
                let result = compass.result()
                let axes = try #require(result.axes, "\(turn.elements), seed \(seed)")
                #expect(axes.kind == (turn == .identity ? .agree : .rotated))
                #expect(axes.rotation == (turn == .identity ? nil : turn.matrix), "seed \(seed)")
                // Twice the error of soft iron of half that size.
                #expect(compass.headingError(try #require(result.fits.first)) < 1)
                #expect(result.verdict.isAccepted, "\(result.verdict.reason)")
            }
        }
    }

    @Test("the 24 rotations are proper, different and closed")
    func group() {
        #expect(Set(AxisTurn.all).count == 24)
        #expect(AxisTurn.all.first == .identity)
        for turn in AxisTurn.all {
            #expect(turn.matrix.determinant == 1)
            #expect(turn.matrix * turn.inverse.matrix == .identity)
            #expect(AxisTurn(nearestTo: turn.matrix) == turn)
        }
    }

    @Test(
        "a compass that is mounted at 10° besides is brought to the right axes by the fit",
        arguments: 1...4 as ClosedRange<UInt64>)
    func obliquelyMounted(_ seed: UInt64) throws {
        let mounted = Rotation3.aboutZ(100 * .pi / 180)
        let compass = TurnedCompass(mounted.inverse.matrix, seed: seed)
        let result = compass.result()
        #expect(try #require(result.axes).rotation == AxisTurn(nearestTo: Rotation3.aboutZ(.pi / 2).matrix).matrix)
        #expect(compass.headingError(try #require(result.fits.first)) < 1)
    }

    @Test(
        "half-way between two of them nothing is claimed, and the fit is right", arguments: 1...4 as ClosedRange<UInt64>
    )
    func halfWay(_ seed: UInt64) throws {
        let compass = TurnedCompass(Rotation3.aboutZ(-45 * .pi / 180).matrix, seed: seed)
        let result = compass.result()
        #expect(result.axes == nil)
        #expect(compass.headingError(try #require(result.fits.first)) < 1)
    }

    @Test("without a gyroscope the constant inclination shows them, if the board was tilted to all sides")
    func withoutGyroscope() throws {
        var found = 0
        for (index, turn) in AxisTurn.all.enumerated() {
            let compass = TurnedCompass(turn.inverse.matrix, seed: UInt64(index + 1))
            let result = compass.result(.withForce)
            guard let axes = result.axes else { continue }
            #expect(axes.rotation == (turn == .identity ? nil : turn.matrix))
            found += 1
        }
        #expect(found >= 22, "of 24")
        let good = TurnedCompass(AxisTurn.all[7].inverse.matrix, seed: 2).result(.withForce)
        #expect(good.axes?.rotation == AxisTurn.all[7].matrix)
        for seed in 1...6 as ClosedRange<UInt64> {
            #expect(TurnedCompass(AxisTurn.all[5].matrix, seed: seed, tilt: 10).result(.withForce).axes == nil)
        }
    }

    @Test("fields alone, rotations about one axis, and short ones claim nothing")
    func tooLittle() {
        for seed in 1...4 as ClosedRange<UInt64> {
            #expect(TurnedCompass(AxisTurn.all[9].matrix, seed: seed).result(.fieldAlone).axes == nil)
            var board = TurnedCompass(AxisTurn.all[9].matrix, seed: seed)
            board.board.board = HandledBoard(
                .turn(about: Vector3(0, 1, 0), by: 20, seconds: 30), errors: board.board.board.errors, seed: seed)
            board.board.board.inertialRate = 50
            #expect(board.result().axes == nil)
            #expect(TurnedCompass(AxisTurn.all[9].matrix, seed: seed, seconds: 5).result().axes == nil)
        }
    }

    @Test("an inverted or exchanged axis is named where the inclination is known, and nothing is stored")
    func mirrored() throws {
        let settings = CalibrationSettings(inclination: Self.inclination)
        let identity = Matrix<3, 3>.identity
        for axis in 0..<3 {
            var mirror = identity
            mirror[axis, axis] = -1
            let result = TurnedCompass(mirror, seed: UInt64(axis + 1)).result(settings: settings)
            #expect(result.axes?.kind == .mirrored && result.axes?.rotation == mirror)
            #expect(result.verdict.refusal == .poorFit)
            #expect(result.verdict.reason.contains("its \(["x", "y", "z"][axis]) axis is inverted"))
        }
        let exchanged = Matrix(Vector3(0, 1, 0), Vector3(1, 0, 0), Vector3(0, 0, 1))
        let result = TurnedCompass(exchanged, seed: 5).result(settings: settings)
        #expect(result.verdict.reason.contains("its x and y axes are exchanged"))
        // Without the inclination it looks like a rotation, and the text says on what this rests.
        let unknown = TurnedCompass(exchanged, seed: 5).result()
        #expect(unknown.axes?.kind == .rotated)
        #expect(try #require(unknown.axes).detail.contains("none of its axes is inverted"))
    }

    @Test("an accelerometer of the other sign is proposed by the inclination", arguments: [1.0, -1])
    func inverted(_ hemisphere: Double) throws {
        for seed in 1...4 as ClosedRange<UInt64> {
            var compass = TurnedCompass(.identity, seed: seed)
            compass.board.board.site.fieldENU.z *= hemisphere
            let settings = CalibrationSettings(inclination: hemisphere * Self.inclination)
            #expect(compass.result(settings: settings).axes?.kind == .agree)
            compass.accelerometer = -1 * .identity
            let result = compass.result(settings: settings)
            var axes = try #require(result.axes)
            #expect(axes.kind == .inverted && axes.sensor == .accelerometer && axes.sign == -1)
            axes.setMount(from: Matrix<3, 3>.identity.rowElements, sign: -1)
            #expect(axes.sign == 1 && axes.mountMatrix == nil)
            #expect(result.verdict.refusal == .poorFit)
            // Near the equator, and without a position, the sign of the field's elevation says nothing.
            #expect(compass.result(settings: CalibrationSettings(inclination: 0.1)).axes?.kind == .agree)
            #expect(compass.result().axes?.kind == .agree)
        }
    }

    @Test("an accelerometer that is rotated relative to the gyroscope is what is named first, and nothing is stored")
    func different() throws {
        var compass = TurnedCompass(.identity, seed: 3)
        compass.accelerometer = AxisTurn.all[8].matrix
        let result = compass.result()
        let axes = try #require(result.axes)
        #expect(!result.verdict.isAccepted)
        #expect(axes.kind == .different && axes.sensor == .accelerometer)
        #expect(axes.rotation == AxisTurn.all[8].inverse.matrix)
    }

    @Test("the mount matrix to set is the rotation times the present one")
    func mountMatrix() throws {
        let turn = AxisTurn.all[10]
        var axes = try #require(TurnedCompass(turn.inverse.matrix, seed: 4).result().axes)
        let present = Rotation3.aboutZ(0.3).matrix
        axes.setMount(from: present.rowElements, sign: -1)
        #expect(axes.mountMatrix == (turn.matrix * present).rowElements && axes.sign == nil)
    }

    @Test(
        "at a small inclination the margin between right and upside down remains as wide as either",
        arguments: [1.0, -1])
    func smallInclination(_ hemisphere: Double) throws {
        var compass = TurnedCompass(.identity, seed: 6)
        let strength = compass.board.board.site.fieldENU.norm
        // Of a field that should be 24° below the horizon, by its elevation: 12° are tolerated.
        for (elevation, isInverted) in [(24.0, true), (10, false), (-10, false), (-24, false)] {
            let angle = elevation * .pi / 180
            compass.board.board.site.fieldENU = strength * Vector3(0, cos(angle), hemisphere * sin(angle))
            let settings = CalibrationSettings(inclination: hemisphere * 24 * .pi / 180)
            let kind = compass.result(settings: settings).axes?.kind
            #expect(kind == (isInverted ? .inverted : .agree), "\(elevation)°")
        }
    }

    @Test("a stored calibration in other axes is contradicted")
    func contradicted() throws {
        let turn = AxisTurn.all[10]
        let result = TurnedCompass(turn.inverse.matrix, seed: 4).result()
        let axes = try #require(result.axes)
        #expect(!axes.contradicts(result.fits.first))
        #expect(axes.contradicts(SensorFit(sensor: .magnetometer)))
        #expect(!axes.contradicts(SensorFit(sensor: .accelerometer)))
        #expect(!axes.contradicts(nil))
    }
}
