import WaymarkClient
import WaymarkInterface

package enum SamplingText {
    /// Describes the sampling method of a device in one line; nil while the method is unknown. Omits a reason that is
    /// also in the device's detail.
    package static func line(_ device: Waymark.Device) -> String? {
        let reason = device.samplingReason.flatMap { device.detail?.contains($0) == true ? nil : $0 }
        return device.sampling.map { line($0, trigger: device.trigger, reason: reason) }
    }

    /// Sampling method on one line, from the parts of a report.
    package static func line(
        _ sampling: OpenWord<StatusInterface.Sampling>, trigger: String?, reason: String?
    ) -> String {
        method(sampling, trigger: trigger.map(Words.line)) + (reason.map { ": \(Words.line($0))" } ?? "")
    }

    private static func method(_ sampling: OpenWord<StatusInterface.Sampling>, trigger: String?) -> String {
        let name = trigger.map { " \($0)" } ?? ""
        return switch sampling {
        case .known(.device): "sampled by the device itself"
        case .known(.deviceTrigger): "sampled by its own trigger\(name)"
        case .known(.timerTrigger): "sampled by the hrtimer trigger\(name)"
        case .known(.otherTrigger): "sampled by another program's trigger\(name)"
        case .known(.polling): "polled"
        case .known(.program): "offered by a program"
        case .unknown(let word): "sampled by \(Words.line(word))"
        }
    }
}
