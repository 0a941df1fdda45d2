extension Configuration {
    /// Settings whose values differ between this configuration and `other`.
    public func changes(to other: Configuration) -> [Setting] {
        Setting.all.filter { $0.written(self) != $0.written(other) }
    }

    /// Applies a reload: returns the configuration to run with, and the settings whose change needs a restart.
    ///
    /// - Parameter new: configuration as just read from the files.
    public func reloaded(with new: Configuration) -> (running: Configuration, waiting: [Setting]) {
        var running = new
        let waiting = changes(to: new).filter(\.requiresRestart)
        for setting in waiting { setting.value.copy(self, &running) }
        return (running, waiting)
    }
}
