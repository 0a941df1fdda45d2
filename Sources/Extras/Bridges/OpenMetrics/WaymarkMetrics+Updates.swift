import WaymarkInterface

extension WaymarkMetrics {
    /// Results of the filter's updates, by the label `measurement`.
    static func updates(_ status: Status) -> [MetricFamily] {
        var applied = MetricFamily(
            "waymark_updates_applied", .counter,
            help: "Measurements that corrected the estimate, the down-weighted ones included.")
        var downWeighted = MetricFamily(
            "waymark_updates_down_weighted", .counter,
            help: "Measurements that corrected the estimate with less weight.")
        var refused = MetricFamily(
            "waymark_updates_refused", .counter, help: "Measurements that did not correct the estimate.")
        var innovation = MetricFamily(
            "waymark_innovation_ratio", unit: "ratio",
            help: "Recent mean of the normalised innovation squared per degree of freedom.")
        for updates in status.updates ?? [] {
            let labels = [Label("measurement", updates.kind.description)]
            applied.add(updates.applied, labels)
            downWeighted.add(updates.downWeighted, labels)
            refused.add(updates.refused, labels)
            innovation.add(updates.innovationRatio, labels)
        }
        return [applied, downWeighted, refused, innovation]
    }
}
