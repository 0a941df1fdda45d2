import Sensors
import Testing

@Suite struct DeviceSelectionTests {
    private func device(
        _ identifier: String, _ name: String, _ kinds: [SensorKind], buffered: Bool = true, stamped: Bool = true
    ) -> DeviceSummary {
        var channels: [String: DeviceSummary.Channel] = [:]
        for channel in kinds.flatMap(\.channelNames) {
            channels[channel] = .init(isScanElement: buffered, isReadable: true)
        }
        if stamped, buffered { channels["timestamp"] = .init(isScanElement: true, isReadable: false) }
        return DeviceSummary(identifier: identifier, name: name, label: nil, channels: channels)
    }

    private func plans(_ devices: [DeviceSummary], names: [SensorKind: String] = [:]) -> [DevicePlan] {
        DeviceSelection.plans(for: SensorKind.allCases, among: devices, names: names)
    }

    @Test("one device with accelerometer and gyroscope is better than two")
    func prefersCombined() {
        let found = plans([
            device("iio:device0", "accel_3d", [.accelerometer]), device("iio:device1", "gyro_3d", [.gyroscope]),
            device("iio:device2", "imu", [.accelerometer, .gyroscope]),
        ])
        #expect(found == [DevicePlan(identifier: "iio:device2", name: "imu", kinds: [.accelerometer, .gyroscope])])
    }

    @Test("a device with a buffer is better than one without")
    func prefersBuffer() {
        let found = plans([
            device("iio:device0", "slow", [.accelerometer, .gyroscope], buffered: false),
            device("iio:device1", "accel", [.accelerometer]), device("iio:device2", "gyro", [.gyroscope]),
        ])
        #expect(found.map(\.name) == ["accel", "gyro"])
    }

    @Test("all kinds of one device make one plan, in the order of hand-over")
    func nineAxes() {
        let found = plans([device("iio:device0", "imu9", [.magnetometer, .gyroscope, .accelerometer, .barometer])])
        #expect(found.map(\.kinds) == [SensorKind.allCases])
    }

    @Test("a configured name decides, and leaves the kind out when it is not there")
    func configured() {
        let devices = [
            device("iio:device0", "first", [.magnetometer]), device("iio:device1", "second", [.magnetometer]),
        ]
        #expect(plans(devices).map(\.name) == ["first"])
        #expect(plans(devices, names: [.magnetometer: "second"]).map(\.name) == ["second"])
        #expect(plans(devices, names: [.magnetometer: "iio:device1"]).map(\.name) == ["second"])
        #expect(plans(devices, names: [.magnetometer: "third"]).isEmpty)
    }

    @Test("a configured label decides alone or beside a name, and is no name")
    func labelled() {
        var devices = [device("iio:device0", "imu", [.gyroscope]), device("iio:device1", "imu", [.gyroscope])]
        devices[1].label = "display"
        func chosen(_ names: [SensorKind: String] = [:], _ labels: [SensorKind: String] = [:]) -> [String] {
            DeviceSelection.plans(for: [.gyroscope], among: devices, names: names, labels: labels).map(\.identifier)
        }
        #expect(chosen() == ["iio:device0"])
        #expect(chosen([:], [.gyroscope: "display"]) == ["iio:device1"])
        #expect(chosen([.gyroscope: "imu"], [.gyroscope: "display"]) == ["iio:device1"])
        #expect(chosen([.gyroscope: "iio:device0"], [.gyroscope: "display"]).isEmpty)
        #expect(chosen([.gyroscope: "display"]).isEmpty)
    }

    @Test("two axes are no sensor")
    func incomplete() {
        var flat = device("iio:device0", "flat", [.accelerometer])
        flat.channels["accel_z"] = nil
        #expect(plans([flat]).isEmpty)
    }
}
