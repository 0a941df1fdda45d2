/// The kernel: IIO core and drivers for the chips of the board.
enum KernelRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        // Of another computer only the devices are known.
        let polled = (facts.devices?.sensors ?? []).filter { !$0.isBuffered }.map(unbuffered)
        guard let kernel = facts.kernel else { return polled }
        let findings = (kernel.hasIIO ? [] : [bare(kernel)]) + kernel.unboundChips.map(chip) + polled
        return findings.isEmpty
            ? [.ok(.kernelReady, "kernel", "the IIO core and the sensor drivers are loaded")] : findings
    }

    private static func bare(_ kernel: KernelFacts) -> Finding {
        .failure(
            .kernelNoIIO, "kernel", "no IIO core: no sensor driver is loaded",
            meaning: "no accelerometer, gyroscope or magnetometer is available",
            remedy: kernel.unboundChips.first.map { "sudo modprobe \($0.module.shellQuoted)" }
                ?? "sudo modprobe industrialio; sudo dmesg | grep -iE 'iio|imu|accel|magn'")
    }

    private static func chip(_ chip: KernelFacts.UnboundChip) -> Finding {
        .failure(
            .kernelNoDriver, chip.name, "the board has this sensor, but no driver is bound to it",
            meaning: "the driver is not loaded, not built for this kernel, or failed to probe the chip",
            remedy: "sudo modprobe \(chip.module.shellQuoted); sudo dmesg | tail -n 20")
    }

    private static func unbuffered(_ sensor: SensorFacts) -> Finding {
        .warning(
            .kernelNoBuffers, sensor.name, "no IIO buffer: the sensor is polled",
            meaning: "samples are timestamped when read, with delay and jitter",
            remedy: "sudo modprobe industrialio-triggered-buffer  # and wire the chip's interrupt in the device tree")
    }
}
