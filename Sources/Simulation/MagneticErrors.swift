import Geometry
import Model

extension SensorErrors {
    /// Errors of the magnetometer and of the field in which it is worn. Unit: microtesla.
    public struct Magnetic: Hashable, Sendable {
        /// White, each sample.
        public var noise: Double
        /// What calibration left over, fixed in the body.
        public var hardIron: Double
        /// Length of a further hard iron in a random direction of the body: that of a board never calibrated.
        public var uncalibratedIron: Double
        /// Per axis at the peak of one disturbance, fixed in ENU.
        public var disturbance: Double
        /// Duration of one disturbance, rising and falling smoothly. Unit: seconds.
        public var disturbanceSeconds: ClosedRange<Double>
        /// Time between two disturbances, and at least once before the first. Unit: seconds.
        public var quietSeconds: ClosedRange<Double>
        /// Per axis, fixed to places along the way, in ENU: rails, pipes and the steel in houses.
        public var streetIron: Double
        /// Way over which the street's iron is correlated. Unit: metres.
        public var streetIronMetres: Double
        /// Turn of the horizontal field: a compass that is mounted off.
        public var fieldTurn: FieldTurn

        public init(
            noise: Double, hardIron: Double, disturbance: Double, disturbanceSeconds: ClosedRange<Double>,
            quietSeconds: ClosedRange<Double>, uncalibratedIron: Double = 0, streetIron: Double = 0,
            streetIronMetres: Double = 25, fieldTurn: FieldTurn = .none
        ) {
            self.noise = noise
            self.hardIron = hardIron
            self.disturbance = disturbance
            self.disturbanceSeconds = disturbanceSeconds
            self.quietSeconds = quietSeconds
            self.uncalibratedIron = uncalibratedIron
            self.streetIron = streetIron
            self.streetIronMetres = streetIronMetres
            self.fieldTurn = fieldTurn
        }

        /// Calibration that is on record for the magnetometer; nil for a board that was never calibrated.
        func calibration(at time: BootTime) -> SensorCalibration? {
            guard uncalibratedIron == 0 else { return nil }
            let left = max(hardIron, Self.leastResidue)
            return SensorCalibration(
                time: time, sensor: .magnetometer, biasDeviation: Vector3(left, left, left))
        }

        /// Standard deviation per axis that even the best calibration leaves. Unit: microtesla.
        private static let leastResidue = 0.1

        /// A calibrated board in a street: 1.2 µT turn the horizontal field of Zurich by 3°, the mounting by 2° more.
        public static let typical = Magnetic(
            noise: 0.4, hardIron: 1, disturbance: 8, disturbanceSeconds: 10...40, quietSeconds: 30...120,
            streetIron: 1.2, fieldTurn: .drawn(standardDeviation: 2 * .pi / 180))
        public static let none = Magnetic(
            noise: 0, hardIron: 0, disturbance: 0, disturbanceSeconds: 10...40, quietSeconds: 30...120)

        /// A board that was never calibrated, in the same street: more hard iron than the earth's horizontal field.
        public static var uncalibrated: Magnetic {
            var errors = typical
            errors.uncalibratedIron = 30
            return errors
        }

        /// With noise, hard iron and disturbances alone: a street without iron, and a compass that is mounted true.
        public var withoutStreetIronAndTurn: Magnetic {
            var errors = self
            errors.streetIron = 0
            errors.fieldTurn = .none
            return errors
        }
    }

    /// Angle by which the horizontal magnetic field is turned for good, clockwise. Unit: radians.
    public enum FieldTurn: Hashable, Sendable {
        /// Drawn once at the start.
        case drawn(standardDeviation: Double)
        case exactly(Double)

        public static let none = FieldTurn.exactly(0)
    }
}
