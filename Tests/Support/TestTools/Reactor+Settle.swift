import Linux

extension Reactor {
    /// Runs until the condition holds; false if it does not within a minute.
    public func settle(_ condition: () -> Bool) -> Bool {
        let end = Reactor.now + 60_000_000_000
        while Reactor.now < end {
            if condition() { return true }
            runOnce(milliseconds: 5)
        }
        return condition()
    }

    /// Runs for some turns and a tenth of a second, so that what is about to happen has happened.
    public func idle() {
        var ticks = 0
        let timer = every(10_000_000) { ticks += 1 }
        _ = settle { ticks >= 10 }
        cancel(timer)
    }
}
