import ListSources
import Pulling
import Yams

/// The settings of a list's pull gesture.
struct PullSettings: Hashable {
    var configuration: PullConfiguration
    var haptics: Bool
    var indicator: String
    /// By phase.
    var texts: [String: String]
}

extension PullSettings {
    /// How a pull feels where settings say nothing: as the demo has it, or as the preset `standard`.
    static func standard(for demo: Demo?) -> PullSettings {
        let preset = demo.flatMap { PullConfiguration.Preset(rawValue: $0.feel.preset) } ?? .standard
        return PullSettings(
            configuration: preset.configuration, haptics: demo?.feel.haptics ?? false,
            indicator: demo?.feel.indicator ?? "default", texts: demo?.feel.texts ?? [:])
    }
}

/// Reads how a pull on a list feels. What is left out is as in the preset; without one, as the list's demo has it.
struct PullReader {
    private static let keys = [
        "preset", "trigger", "threshold", "minimum", "hold", "hysteresis", "haptics", "indicator", "texts",
    ]
    private static let phases = ["waiting", "primed", "loading", "closing"]

    private let list: MappingReader
    private let faults: FaultCollector
    private let standard: PullSettings

    init(_ list: MappingReader, demo: Demo?, _ faults: FaultCollector) {
        self.list = list
        self.faults = faults
        standard = .standard(for: demo)
    }

    func read() -> PullSettings {
        guard let node = list["pull"], let reader = mapping(node) else { return standard }
        reader.reportUnknownKeys()
        return PullSettings(
            configuration: configuration(reader), haptics: reader.flag("haptics") ?? standard.haptics,
            indicator: indicator(reader) ?? standard.indicator,
            texts: standard.texts.merging(texts(reader)) { $1 })
    }

    private func mapping(_ node: Node) -> MappingReader? {
        if let preset = node.text.flatMap(PullConfiguration.Preset.init(rawValue:)) {
            list.fault("pull", expected: "a mapping", hint: .word("{preset: \(preset.rawValue)}"))
            return nil
        }
        return MappingReader(node, path: "pull", of: "pull", keys: Self.keys, faults)
    }

    private func configuration(_ reader: MappingReader) -> PullConfiguration {
        let preset: PullConfiguration.Preset? = reader.word("preset")
        let base = preset?.configuration ?? standard.configuration
        do {
            return try base.changing(
                trigger: reader.word("trigger"), threshold: reader.number("threshold"),
                minimum: reader.number("minimum"), hold: reader.number("hold"),
                hysteresis: reader.number("hysteresis"))
        } catch {
            // A preset's own distance may be what a changed one clashes with: then the changed one is at fault.
            let name = error.field.rawValue
            let clashing =
                reader[name] == nil ? ["threshold", "minimum", "hysteresis"].first { reader[$0] != nil } : name
            faults.add(
                at: clashing.flatMap { reader[$0] }, "pull.\(name)", expected: "a number \(error.expected)",
                came: Self.plain(error.value))
            return base
        }
    }

    private func indicator(_ reader: MappingReader) -> String? {
        guard let name = reader.text("indicator") else { return nil }
        if ListName.isValid(name) { return name }
        reader.fault("indicator", expected: ListName.rule, hint: ListName.nearest(name).map(SettingsFault.Hint.word))
        return nil
    }

    private func texts(_ reader: MappingReader) -> [String: String] {
        guard let node = reader["texts"],
            let texts = MappingReader(node, path: "pull.texts", of: "texts", keys: Self.phases, faults)
        else { return [:] }
        texts.reportUnknownKeys()
        var found: [String: String] = [:]
        for phase in Self.phases {
            found[phase] = texts.text(phase)
            if (found[phase]?.utf8.count ?? 0) > 256 { texts.fault(phase, expected: "a text of at most 256 bytes") }
        }
        return found
    }

    /// The number as a person writes it: `64`, not `64.0`.
    private static func plain(_ number: Double) -> String {
        number.description.hasSuffix(".0") ? String(number.description.dropLast(2)) : number.description
    }
}
