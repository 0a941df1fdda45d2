import Model
import Sensors
import WaymarkInterface

/// Where samples of other programs go: to the sensors' source, if the settings name the program's source.
struct OfferedSamples {
    /// Takes samples; nil where they come from elsewhere.
    private let taking: OfferedSource?

    /// Setting that names the source from which samples are taken.
    private static let setting = "source.samples"

    init(_ taking: OfferedSource?) { self.taking = taking }

    /// What takes the samples of a source.
    func sensors(of source: String) throws(AidInterface.Failure) -> OfferedSource {
        guard let taking, taking.name.text == source else {
            throw .samplesNotConfigured(setting: Self.setting, source: taking?.name.text ?? "")
        }
        return taking
    }

    /// Lets the sensors' source know whether its program is there.
    func note(_ sources: AidSources) {
        if let taking { taking.setOpen(sources.offersSamples(taking.name)) }
    }

    /// Lets silent sensors be noticed.
    func observe(at now: BootTime) { taking?.observe(at: now) }
}
