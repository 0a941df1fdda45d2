extension Configuration {
    /// The settings whose values differ between this configuration and `other`.
    public func changes(to other: Configuration) -> [Setting] {
        Setting.all.filter { $0.written(self) != $0.written(other) }
    }

    /// What a reload makes of this running configuration, and which settings still wait for a restart.
    ///
    /// - Parameter new: as just read from the files.
    public func reloaded(with new: Configuration) -> (running: Configuration, waiting: [Setting]) {
        var running = new
        let waiting = changes(to: new).filter(\.requiresRestart)
        for setting in waiting { setting.value.copy(self, &running) }
        return (running, waiting)
    }
}
