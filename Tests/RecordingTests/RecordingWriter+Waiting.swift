import Glibc
import Recording

extension RecordingWriter {
    /// Lets the recording's thread catch up: measurements come faster here than from sensors, and a full queue drops.
    ///
    /// To be called after every few entries: from half of the queue on, at which the thread is woken, it waits until
    /// nothing is left in it.
    func waitForQueue() {
        guard waiting > RecordingWriter.queueCapacity / 2 else { return }
        while waiting > 0 { sched_yield() }
    }
}
