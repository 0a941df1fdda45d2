import Calibration
import Geometry
import Glibc
import Model
import Testing

@Suite("Accelerometers that others recorded")
struct RecordedAccelerometerTests {
    private static func calibrated(
        _ measurements: [Measurement], _ settings: CalibrationSettings
    ) -> CalibrationResult {
        var session = AccelerometerSession(settings: settings)
        for measurement in measurements { session.feed(measurement) }
        return session.result()
    }

    @Test(
        "raw counts of a hand-moved Xsens: lengths within 0.0011 m/s², the parameters of the reference",
        .enabled(if: RecordedTable.has("cal_imutk_xsens/imu_raw.csv.gz")))
    func xsens() throws {
        let table = try RecordedTable("cal_imutk_xsens/imu_raw.csv.gz")
        let result = Self.calibrated(
            try table.inertialMeasurements(), CalibrationSettings(unit: .arbitrary, gravity: 9.81744))
        #expect(result.verdict.isAccepted)
        #expect(try #require(result.residualRMS) <= 0.0011)
        #expect(try #require(result.poses) >= 36)
        let fit = try #require(result.fits.first { $0.sensor == .accelerometer })
        let bias = fit.bias - Vector3(33123.8485, 33275.1551, 32364.4982)
        // 1.5 counts are 0.0036 m/s².
        #expect(bias.norm < 1.5)
        // The reference is triangular: what no rotation changes is compared.
        let reference = Self.triangular(
            yz: 0.00339099, zy: -0.00920553, zx: 0.02136552, Vector3(0.00241299471, 0.00242699768, 0.00241184738))
        #expect(Self.relativeDifference(fit.correction, reference) < 3e-4)
        let gyroscope = try #require(result.fits.first { $0.sensor == .gyroscope })
        // The three axes are of one kind: scales within 1 %, axes within 3° of the accelerometer's.
        let scale = gyroscope.correction[0, 0]
        #expect(scale > 1e-4 && scale < 3e-4)
        for row in 0..<3 {
            for column in 0..<3 {
                #expect(abs(gyroscope.correction[row, column] / scale - (row == column ? 1 : 0)) < 0.05)
            }
        }
        // Of the first 40 s; from pose to pose it wanders by 15 counts, which are 0.2 °/s.
        #expect((gyroscope.bias - Vector3(32777.2, 32459.5, 32512.0)).norm < 15)
        #expect(try #require(result.predictedHeadingError) < 0.5 * .pi / 180)
    }

    @Test(
        "raw counts of an MPU-6050 held in the hand: poses of 9.80 to 9.81 m/s², and the published parameters",
        .enabled(if: RecordedTable.has("cal_mpu6050_poses/imu_raw.csv.gz")))
    func handHeld() throws {
        let table = try RecordedTable("cal_mpu6050_poses/imu_raw.csv.gz")
        let result = Self.calibrated(try table.inertialMeasurements(), CalibrationSettings(unit: .arbitrary))
        #expect(result.verdict.isAccepted)
        #expect(try #require(result.residualRMS) < 0.005)
        let fit = try #require(result.fits.first { $0.sensor == .accelerometer })
        // Published as a bias to be added.
        let published = Vector3(711.516, -358.505, -1840.128)
        // 50 counts are 0.03 m/s²: the poses are short.
        #expect((fit.bias - published).norm < 50)
        for (axis, scale) in [0.00060201, 0.00059684, 0.00058592].enumerated() {
            #expect(abs(fit.correction[axis, axis] / scale - 1) < 0.005)
        }
        // The means over the published still intervals of a fifth of a second and longer.
        let forces = try table.vectors("ax", "ay", "az")
        for (first, end) in [
            (150, 3613), (5585, 5690), (6205, 6368), (7018, 7046), (7570, 7765), (8297, 8457),
            (9094, 9158), (9662, 10095),
        ] {
            let mean = forces[first..<end].reduce(.zero, +) / Double(end - first)
            let length = (fit.correction * (mean - fit.bias)).norm
            #expect(length > 9.80 - 0.005 && length < 9.81 + 0.005)
        }
        // It was moved so fast that moves are lost to the gyroscope's range; what is left does.
        let gyroscope = try #require(result.fits.first { $0.sensor == .gyroscope })
        // 131 counts for 1 °/s by the data sheet, ±3 %.
        for axis in 0..<3 { #expect(abs(gyroscope.correction[axis, axis] * 131 * 180 / .pi - 1) < 0.03) }
    }

    @Test(
        "a box on its faces, and turned about its edges: the published biases, scales and axes to 1 %",
        .enabled(if: RecordedTable.has("cal_ferraris_imucal/annotated.csv.gz")))
    func box() throws {
        let table = try RecordedTable("cal_ferraris_imucal/annotated.csv.gz")
        let forces = try table.vectors("acc_x", "acc_y", "acc_z")
        let rates = try table.vectors("gyr_x", "gyr_y", "gyr_z")
        let measurements = forces.indices.flatMap { index in
            let time = BootTime(nanoseconds: Int64(Double(index) / 204.8 * 1e9))
            return [
                Measurement.specificForce(SpecificForceSample(time: time, force: forces[index])),
                .angularRate(AngularRateSample(time: time, rate: rates[index])),
            ]
        }
        // The reference takes a turn to the right.
        let result = Self.calibrated(
            measurements,
            CalibrationSettings(unit: .arbitrary, gravity: 9.81, usesFaces: true, faceTurn: -2 * .pi))
        #expect(result.verdict.isAccepted)
        let fit = try #require(result.fits.first { $0.sensor == .accelerometer })
        let response = try #require(fit.correction.inverse)
        let expected = Matrix<3, 3>(
            Vector3(208.527429, 1.485274, -2.324380), Vector3(-1.653064, 207.936391, 4.918999),
            Vector3(4.584125, -2.315781, 214.723141))
        #expect(Self.largestDifference(response, expected) < 0.01 * 208)
        #expect((fit.bias - Vector3(-6.018868, -48.287874, -28.966366)).norm < 0.01 * 57)
        let gyroscope = try #require(result.fits.first { $0.sensor == .gyroscope })
        let turns = (.pi / 180) * (try #require(gyroscope.correction.inverse))
        let expectedTurns = Matrix<3, 3>(
            Vector3(-16.676268, -0.010244, 0.218002), Vector3(0.089126, -16.175908, -0.616448),
            Vector3(-0.213675, 0.593369, -16.241122))
        #expect(Self.largestDifference(turns, expectedTurns) < 0.01 * 16.2)
        // 1 % of the bias is a third of the error of the mean of all samples: 3.4 counts over the root of 5600.
        #expect((gyroscope.bias - Vector3(1.960686, -4.472838, -3.651179)).norm < 0.01 * 6.1 + 0.1)
    }

    private static func triangular(yz: Double, zy: Double, zx: Double, _ scale: Vector3) -> Matrix<3, 3> {
        Matrix(Vector3(1, -yz, zy), Vector3(0, 1, -zx), Vector3(0, 0, 1))
            * Matrix(Vector3(scale.x, 0, 0), Vector3(0, scale.y, 0), Vector3(0, 0, scale.z))
    }

    /// Of CᵀC, over its largest element.
    private static func relativeDifference(_ a: Matrix<3, 3>, _ b: Matrix<3, 3>) -> Double {
        let product = b.transpose * b
        return largestDifference(a.transpose * a, product) / product[0, 0]
    }

    private static func largestDifference(_ a: Matrix<3, 3>, _ b: Matrix<3, 3>) -> Double {
        (0..<9).reduce(0) { max($0, abs(a[$1 / 3, $1 % 3] - b[$1 / 3, $1 % 3])) }
    }
}
