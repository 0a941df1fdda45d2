/// The kernel: its IIO core, and drivers for the chips that the board has.
enum KernelRules {
    static func findings(_ facts: BoardFacts) -> [Finding] {
        // Of another computer's kernel the devices alone tell.
        let polled = (facts.devices?.sensors ?? []).filter { !$0.isBuffered }.map(unbuffered)
        guard let kernel = facts.kernel else { return polled }
        let findings = (kernel.hasIIO ? [] : [bare(kernel)]) + kernel.orphans.map(orphan) + polled
        return findings.isEmpty
            ? [.ok(.kernelReady, "kernel", "the IIO core and the sensors' drivers are loaded")] : findings
    }

    private static func bare(_ kernel: KernelFacts) -> Finding {
        .failure(
            .kernelNoIIO, "kernel", "it has no IIO core: no sensor's driver is loaded",
            meaning: "there is no accelerometer, gyroscope or magnetometer to read",
            remedy: kernel.orphans.first.map { "sudo modprobe \($0.module.shellQuoted)" }
                ?? "sudo modprobe industrialio; sudo dmesg | grep -iE 'iio|imu|accel|magn'")
    }

    private static func orphan(_ orphan: KernelFacts.Orphan) -> Finding {
        .failure(
            .kernelNoDriver, orphan.name, "the board has this sensor, and no driver serves it",
            meaning: "its driver is not loaded, not built for this kernel, or refused the chip",
            remedy: "sudo modprobe \(orphan.module.shellQuoted); sudo dmesg | tail -n 20")
    }

    private static func unbuffered(_ sensor: SensorFacts) -> Finding {
        .warning(
            .kernelNoBuffers, sensor.name, "it has no buffer and is polled",
            meaning: "samples are stamped when they are read: late, and unevenly",
            remedy: "sudo modprobe industrialio-triggered-buffer  # and wire the chip's interrupt in the device tree")
    }
}
