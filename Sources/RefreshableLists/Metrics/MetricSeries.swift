/// The figures of one name and one set of labels.
protocol MetricSeries: AnyObject, Sendable {
    /// Its lines, in order.
    var samples: [MetricSample] { get }
}

/// A line of the text: `NAME` `suffix` `{…,label}` `value`.
struct MetricSample: Equatable {
    var suffix = ""
    var label = ""
    var value: Double
}
