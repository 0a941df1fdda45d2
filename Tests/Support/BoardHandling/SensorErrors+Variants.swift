import Geometry
import Simulation

/// Receivers that are worse than the typical receiver in one respect.
extension SensorErrors.GNSS {
    /// Position errors with a time constant of five minutes.
    public static var longLasting: SensorErrors.GNSS {
        var errors = typical
        errors.positionTimeConstant = 300
        return errors
    }

    /// Velocity errors of 0.12 m/s per axis with a time constant of a minute, reported with the typical accuracy.
    public static var wanderingVelocity: SensorErrors.GNSS {
        var errors = typical
        let reported = errors.velocityStandardDeviation
        errors.velocityDrift = 0.12
        errors.velocityTimeConstant = 60
        errors.velocityUnderstatement = errors.velocityStandardDeviation / reported
        return errors
    }

    /// The typical errors without an accuracy of the velocity, as for all receivers with NMEA.
    public static var withoutVelocityAccuracy: SensorErrors.GNSS {
        var errors = typical
        errors.reportsVelocityAccuracy = false
        return errors
    }

    /// A locator of a phone indoors: errors of 8 m that change within half a minute, and 0.2 m/s of a walking wearer,
    /// without an accuracy.
    public static var locator: SensorErrors.GNSS {
        var errors = typical
        errors.positionDrift = errors.positionDrift * 3
        errors.positionTimeConstant = 25
        errors.velocityShare = 0.15
        errors.reportsVelocityAccuracy = false
        return errors
    }

    /// Position errors that exceed the typical errors, and the reported accuracy, by a factor.
    public static func understated(by factor: Double) -> SensorErrors.GNSS {
        var errors = typical
        errors.positionDrift = errors.positionDrift * factor
        errors.positionNoise = errors.positionNoise * factor
        errors.positionUnderstatement = factor
        return errors
    }
}

extension SensorErrors.Magnetic {
    /// An uncalibrated board in the same street, with more hard iron than the earth's horizontal field.
    public static var uncalibrated: SensorErrors.Magnetic {
        var errors = typical
        errors.uncalibratedIron = 30
        return errors
    }

    /// The same errors without iron along the street and without misalignment.
    public var withoutStreetIronAndTurn: SensorErrors.Magnetic {
        var errors = self
        errors.streetIron = 0
        errors.fieldTurn = .none
        return errors
    }
}
