/// Mount matrices of magnetometers that a driver is known to derive wrongly.
///
/// The magnetometer in these chips, an AK8975 or AK8963, has x and y exchanged and z inverted relative to accelerometer
/// and gyroscope: with that permutation P and the chip's matrix M its matrix is M·P. The kernel gives P·M, the rows of
/// M exchanged in place of its columns (inv_mpu_magn.c, `inv_mpu_magn_set_orient`).
enum CompassMatrixRules {
    /// Names of the chips as their driver, inv_mpu6050, reports them.
    private static let chips: Set<String> = ["mpu9150", "mpu9250", "mpu9255"]

    static func findings(_ facts: BoardFacts) -> [Finding] {
        guard let stream = facts.streams.first(where: { $0.kind == .magnetometer }), chips.contains(stream.device),
            let board = facts.streams.first(where: { $0.kind == .accelerometer }), board.device == stream.device,
            stream.mountOrigin == "device", board.mountOrigin == "device", !isCalibrated(facts),
            let given = stream.mountMatrix, let chip = board.mountMatrix, given.count == 9, chip.count == 9
        else { return [] }
        let right = (0..<9).map { sign($0 % 3) * chip[$0 / 3 * 3 + partner($0 % 3)] + 0 }
        let wrong = (0..<9).map { sign($0 / 3) * chip[partner($0 / 3) * 3 + $0 % 3] }
        guard isEqual(given, wrong), !isEqual(given, right) else { return [] }
        let numbers = right.map { Amount.text($0, digits: 6) }.joined(separator: ", ")
        return [
            .failure(
                .mountMagnetometer, stream.device,
                "the kernel derives the magnetometer's mount matrix from that of the chip by exchanging rows",
                meaning: "it would have to exchange columns: the heading is wrong, mostly by 90° or 180°",
                remedy: Remedy.edit(facts, "[iio.magnetometer] mount_matrix = [\(numbers)]"))
        ]
    }

    /// A calibration contains the rotation that the matrix lacks.
    private static func isCalibrated(_ facts: BoardFacts) -> Bool {
        guard let calibrations = facts.calibrations, calibrations.isApplied else { return false }
        return calibrations.entries.contains { $0.sensor == "magnetometer" && $0.isInForce ?? true }
    }

    /// Axis of the chip along which an axis of the magnetometer points, or away from.
    private static func partner(_ axis: Int) -> Int { [1, 0, 2][axis] }

    private static func sign(_ axis: Int) -> Double { axis == 2 ? -1 : 1 }

    /// Equal to the six digits that drivers write.
    private static func isEqual(_ first: [Double], _ second: [Double]) -> Bool {
        zip(first, second).allSatisfy { ($0 - $1).magnitude < 1e-5 }
    }
}
