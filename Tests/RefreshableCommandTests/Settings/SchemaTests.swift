import Foundation
import ListSources
import Testing

@testable import RefreshableCommand

/// The schema has every word that the readers know, and no other.
struct SchemaTests {
    /// Together they have every mapping that there is.
    private static let files = [
        """
        server: {port: 0, logLevel: info, tls: {certificate: a.pem, key: a.key}}
        lists:
          - {name: a, command: {run: ls, progress: {total: 3}}, fields: {key: 1}, pull: {texts: {primed: x}},
             format: tsv, encoding: utf-8, mode: stream}
          - {name: n, demo: fruit, noun: {ar: {other: a}, de: {other: a}, en: {other: a}, es: {other: a}, fr: {other: a},
             ja: {other: a}, zh: {other: a}}}
          - {name: s, command: ls, section: "{team}"}
          - {name: t, demo: mailbox, section: {day: time}}
          - {name: u, demo: mailbox, section: {field: badge}}
          - {name: b, file: {path: a.csv}, pull: {preset: classic, trigger: release}}
          - {name: c, web: {url: "http://a.example/", method: GET, next: {page: p}}}
          - {name: d, feed: {url: "http://a.example/", method: GET, next: {page: p}}}
          - {name: e, sqlite: {file: a.db, query: SELECT 1}}
          - {name: p, postgres: {url: "postgres://a/b", query: SELECT 1}}
        """
    ]

    @Test
    func theWordsAreThoseOfTheReaders() throws {
        let faults = FaultCollector()
        for text in Self.files { _ = try Settings(reading: text, file: "a.yaml", faults: faults) }
        #expect(faults.words.count > 15)
        for (place, words) in faults.words.sorted(by: { $0.key < $1.key }) {
            #expect(try schema.words(at: place) == words, "\(place)")
        }
        #expect(try schema.words(at: "demo") == Set(Demo.names))
    }

    @Test
    func noMappingOfTheSchemaIsUnknownToTheReaders() throws {
        let faults = FaultCollector()
        for text in Self.files { _ = try Settings(reading: text, file: "a.yaml", faults: faults) }
        let known = Set(faults.words.keys)
        let missing = schema.mappings.filter { !known.contains($0) }
        #expect(missing.isEmpty)
    }

    private let schema: Schema

    init() throws {
        let path = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        schema = try Schema(reading: "/\(path)/Documentation/lists.schema.json")
    }
}

/// A JSON Schema, as far as this test reads it.
private struct Schema {
    private typealias Node = [String: Any]

    private let root: Node

    init(reading path: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        root = try #require(try JSONSerialization.jsonObject(with: data) as? Node)
    }

    /// The names of members, or the words of an enumeration, at a place such as `web.next`.
    func words(at place: String) throws -> Set<String> {
        let node = try node(at: place)
        let all = forms(of: node)
        if let mapping = all.first(where: { $0["properties"] != nil }) { return names(mapping) }
        return Set(all.flatMap { $0["enum"] as? [String] ?? [] })
    }

    /// All places that are mappings with members of their own.
    var mappings: [String] {
        let lists = places(in: definition("list"), "").map { $0.isEmpty ? "a list" : $0 }
        return ["the file"] + places(in: definition("server"), "server") + lists
    }

    private func places(in node: Node, _ place: String) -> [String] {
        guard let mapping = forms(of: node).first(where: { $0["properties"] != nil }) else { return [] }
        let members = mapping["properties"] as? Node ?? [:]
        return [place]
            + members.flatMap { name, member in
                places(in: member as? Node ?? [:], place.isEmpty ? name : "\(place).\(name)")
            }
    }

    private func node(at place: String) throws -> Node {
        switch place {
        case "the file": return root
        case "a list": return definition("list")
        default: break
        }
        var node = place.hasPrefix("server") ? root : definition("list")
        for name in place.split(separator: ".").map(String.init) {
            let mapping = try #require(forms(of: node).first { $0["properties"] != nil }, "\(place)")
            node = try #require((mapping["properties"] as? Node)?[name] as? Node, "\(place)")
        }
        return node
    }

    /// The node itself and what it may be instead.
    private func forms(of node: Node) -> [Node] {
        let other = (node["anyOf"] as? [Node] ?? []).flatMap(forms)
        let target = (node["$ref"] as? String).map {
            forms(of: definition(String($0.split(separator: "/").last ?? "")))
        }
        return [node] + other + (target ?? [])
    }

    private func definition(_ name: String) -> Node { (root["$defs"] as? Node)?[name] as? Node ?? [:] }

    private func names(_ mapping: Node) -> Set<String> { Set((mapping["properties"] as? Node ?? [:]).keys) }
}
