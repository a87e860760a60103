/// The scripts of the built-in page in few files, so that a phone far away asks three times and not thirty.
///
///     refreshable-list.js   the element, and what it imports
///     furniture.js          what it imports once it is wanted, but for
///     languages.js          which most people never need
///
/// A pack is its modules one after another, each behind what it imports, without the imports among them. Nothing is
/// renamed: names at the top of modules are unique, and imports are written `import { a, b } from './x.js';`, on one line.
/// Every module is delivered by itself, too.
struct ScriptPacks {
    private static let element = "refreshable-list.js"
    private static let furniture = "furniture.js"
    private static let apart: Set = ["languages.js"]

    /// Lines of the scripts by name.
    private let scripts: [String: [Substring]]
    /// By the name of a module, that of the file it is delivered in.
    private var homes: [String: String] = [:]
    private var order: [String: [String]] = [:]

    /// - Parameter scripts: lean, by name.
    init(_ scripts: [String: [UInt8]]) {
        self.scripts = scripts.mapValues { script in
            String(decoding: script, as: UTF8.self).split(separator: "\n")
        }
        claim(Self.element, for: Self.element, isWanted: false)
        let wanted = (order[Self.element] ?? []).flatMap { self.wanted(by: $0) }
        for name in wanted { claim(name, for: Self.furniture, isWanted: true) }
    }

    /// The packs, and every module by itself; those in no pack import from packs.
    var files: [String: [UInt8]] {
        let alone = scripts.keys.map { name in
            (name, homes[name] == nil ? pack([name]) : (scripts[name] ?? []).map { $0 + "\n" }.joined())
        }
        let packed = order.map { ($0.key, pack($0.value)) }
        return Dictionary(alone + packed) { $1 }.mapValues(LeanScript.joined)
    }

    private mutating func claim(_ name: String, for pack: String, isWanted: Bool) {
        guard homes[name] == nil, !Self.apart.contains(name), let lines = scripts[name] else { return }
        homes[name] = pack
        for line in lines { Import(line).map { claim($0.module, for: pack, isWanted: isWanted) } }
        order[pack, default: []].append(name)
        if isWanted { for other in wanted(by: name) { claim(other, for: pack, isWanted: true) } }
    }

    /// The modules that one imports when it needs them.
    private func wanted(by name: String) -> [String] {
        (scripts[name] ?? []).flatMap { line in
            line.split(separator: "import('./").dropFirst().compactMap {
                $0.split(separator: "')").first.map(String.init)
            }
        }
    }

    private func pack(_ modules: [String]) -> String {
        var imports: [String: Set<Substring>] = [:]
        var code = ""
        for line in modules.flatMap({ scripts[$0] ?? [] }) {
            if let imported = Import(line) {
                guard !modules.contains(imported.module) else { continue }
                imports[homes[imported.module] ?? imported.module, default: []].formUnion(imported.names)
            } else {
                code += moved(line) + "\n"
            }
        }
        return imports.sorted { $0.key < $1.key }.map { Self.statement($1, $0) }.joined() + code
    }

    /// With modules that are imported once they are wanted where they are delivered.
    private func moved(_ line: Substring) -> String {
        guard line.contains("import('./") else { return String(line) }
        return homes.reduce(String(line)) { line, home in
            line.replacing("import('./\(home.key)')", with: "import('./\(home.value)')")
        }
    }

    private static func statement(_ names: Set<Substring>, _ module: String) -> String {
        let list = names.sorted().joined(separator: ", ")
        return names.isEmpty ? "import './\(module)';\n" : "import { \(list) } from './\(module)';\n"
    }

    /// `import { a, b } from './x.js';` or `import './x.js';`
    private struct Import {
        let names: [Substring]
        let module: String

        init?(_ line: Substring) {
            guard line.hasPrefix("import "), line.hasSuffix(".js';"), let path = line.firstRange(of: "'./") else {
                return nil
            }
            module = String(line[path.upperBound...].dropLast(2))
            let list = line[..<path.lowerBound].split(separator: "{").last?.split(separator: "}").first
            names = line.contains("{") ? (list ?? "").split { ", ".contains($0) } : []
        }
    }
}
