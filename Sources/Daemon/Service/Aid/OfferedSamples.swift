import Model
import Sensors
import WaymarkInterface

/// Destination of samples from other programs: the sensors' source, if the settings name the program's source.
struct OfferedSamples {
    /// Source that takes the samples; nil if the settings take samples from elsewhere.
    private let taking: OfferedSource?

    /// Setting that names the source from which samples are taken.
    private static let setting = "source.samples"

    init(_ taking: OfferedSource?) { self.taking = taking }

    /// Source that takes the samples of the named program; throws if the settings name another program.
    func sensors(of source: String) throws(AidInterface.Failure) -> OfferedSource {
        guard let taking, taking.name.text == source else {
            throw .samplesNotConfigured(setting: Self.setting, source: taking?.name.text ?? "")
        }
        return taking
    }

    /// Informs the sensors' source whether its program has opened its source.
    func note(_ sources: AidSources) {
        if let taking { taking.setOpen(sources.offersSamples(taking.name)) }
    }

    /// Checks for sensors that have fallen silent.
    func observe(at now: BootTime) { taking?.observe(at: now) }
}
