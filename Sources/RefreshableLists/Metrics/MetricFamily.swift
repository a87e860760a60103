/// All series of one name.
struct MetricFamily: Sendable {
    enum Kind: String {
        case counter, gauge, histogram
    }

    let name: String
    let kind: Kind
    let help: String
    /// By their labels as they are printed, without braces; empty where there are none.
    var series: [String: any MetricSeries] = [:]

    /// Its lines, in order of labels.
    func write(to text: inout String) {
        text += "# HELP \(name) \(PrometheusText.help(help))\n# TYPE \(name) \(kind.rawValue)\n"
        for labels in series.keys.sorted() {
            for sample in series[labels]?.samples ?? [] {
                let all = [labels, sample.label].filter { !$0.isEmpty }.joined(separator: ",")
                text +=
                    "\(name)\(sample.suffix)\(all.isEmpty ? "" : "{\(all)}") \(PrometheusText.number(sample.value))\n"
            }
        }
    }
}
