import Geometry
import Model

/// Position of one axis of a sensor in the scan, and its scale and offset.
struct AxisDecoder {
    /// Encoding in the scan; nil if the channel is polled.
    var format: ChannelFormat?
    var index: Int
    var scale: Double
    var offset: Double

    /// Value in the kernel's unit: (raw + offset) · scale.
    @inline(__always)
    func value(ofCounts counts: Double) -> Double { (counts + offset) * scale }
}

/// Converts one sensor's counts to measurements in the body frame, in SI units (microtesla, hectopascal).
struct SensorDecoder {
    let kind: SensorKind
    /// Three axes, or one for a barometer.
    let axes: [AxisDecoder]
    /// Mount matrix combined with the sensor's sign, which is applied first: body = matrix · (sign · sensor).
    private let bodyFromSensor: Matrix<3, 3>
    private let limit: Double

    init(kind: SensorKind, axes: [AxisDecoder], mount: DeviceMount) {
        precondition(axes.count == kind.channelNames.count)
        self.kind = kind
        self.axes = axes
        bodyFromSensor = mount.signedMatrix
        limit = kind.maximumMagnitude
    }

    /// Decodes the measurement of one scan.
    ///
    /// - Parameters:
    ///   - base: offset of the scan within `bytes`.
    ///   - offsets: offsets of this kind's axes within the scan.
    /// - Returns: nil for a value that is not finite, implausibly large or outside of `bytes`.
    @inline(__always)
    func measurement(
        in bytes: UnsafeRawBufferPointer, base: Int, offsets: UnsafeBufferPointer<Int>, time: BootTime
    ) -> Measurement? {
        func axis(_ number: Int) -> Double {
            guard let counts = axes[number].format?.decode(bytes, at: base + offsets[number]) else { return .nan }
            return axes[number].value(ofCounts: Double(counts))
        }
        if axes.count == 1 { return measurement(Vector3(axis(0), 0, 0), time: time) }
        return measurement(Vector3(axis(0), axis(1), axis(2)), time: time)
    }

    /// Converts a value in sensor axes and the kernel's unit; nil if it is not finite or implausibly large.
    @inline(__always)
    func measurement(_ sensor: Vector3, time: BootTime) -> Measurement? {
        let value = sensor * kind.unitFactor
        // This condition also rejects NaN.
        guard value.squaredNorm <= limit * limit, kind != .barometer || value.x > 0 else { return nil }
        return kind.measurement(value, bodyFromSensor, time: time).rounded
    }
}

extension SensorKind {
    /// Makes a measurement from a value in sensor axes and in the measurement's unit. A barometer's pressure is the x
    /// component.
    @inline(__always)
    func measurement(_ value: Vector3, _ bodyFromSensor: Matrix<3, 3>, time: BootTime) -> Measurement {
        switch self {
        case .accelerometer: .specificForce(SpecificForceSample(time: time, force: bodyFromSensor * value))
        case .gyroscope: .angularRate(AngularRateSample(time: time, rate: bodyFromSensor * value))
        case .magnetometer: .magneticField(MagneticSample(time: time, field: bodyFromSensor * value))
        case .barometer: .pressure(PressureSample(time: time, pressureHectopascal: value.x))
        }
    }
}

extension SensorDecoder {
    /// Reads scales, offsets and formats of a kind from the device.
    ///
    /// - Throws: `.unusable` for a format that cannot be decoded, or a scale that is not a number above zero.
    init(_ device: IIODevice, kind: SensorKind, mount: DeviceMount, isBuffered: Bool) throws(IIOError) {
        var axes: [AxisDecoder] = []
        for name in kind.channelNames {
            guard let channel = device.channel(name) else {
                throw .unusable("\(device.identifier) has no channel \(name)")
            }
            let isProcessed = !isBuffered && !channel.hasAttribute("raw")
            var format: ChannelFormat?
            if isBuffered { format = try Self.format(of: channel) }
            let scale = try isProcessed ? 1 : channel.number("scale", or: 1)
            // A scale has to be positive, because the mount matrix and the sign determine the direction of an axis.
            guard scale > 0 else {
                throw .unusable("\(device.identifier) \(name): scale is \(scale); it has to be above 0")
            }
            let offset = try isProcessed ? 0 : channel.number("offset", or: 0)
            axes.append(AxisDecoder(format: format, index: channel.index, scale: scale, offset: offset))
        }
        self.init(kind: kind, axes: axes, mount: mount)
    }

    private static func format(of channel: IIOChannel) throws(IIOError) -> ChannelFormat {
        do {
            let format = try channel.format()
            if format.repeats == 1 { return format }
        } catch {
            throw .unusable("\(channel.device.identifier) \(channel.identifier): \(error)")
        }
        throw .unusable("\(channel.device.identifier) \(channel.identifier) has several values where one is expected")
    }
}
