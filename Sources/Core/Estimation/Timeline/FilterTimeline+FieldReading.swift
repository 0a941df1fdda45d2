import Model

/// Means of the magnetic field: the means that a late measurement can still change, and the final means.
extension FilterTimeline {
    /// Records a mean of the field that the filter has just completed.
    mutating func noteReading() {
        guard filter.settings.parts.contains(.hardIronTracker) else { return }
        guard let reading = filter.fieldReading, reading.time == filter.state.time else { return }
        if readings.count == readings.capacity { settledReadings.append(readings[0]) }
        readings.append(reading)
    }

    /// Moves the readings before the oldest snapshot, which are final, to the settled readings.
    mutating func settleReadings() {
        let oldest = snapshots[0].state.time
        while let first = readings.first, first.time <= oldest {
            settledReadings.append(first)
            readings.removeFirst()
        }
    }

    /// Removes and returns the oldest settled mean of the magnetic field; nil if there is none.
    package mutating func takeSettledReading() -> FieldReading? {
        guard let reading = settledReadings.first else { return nil }
        settledReadings.removeFirst()
        return reading
    }
}
