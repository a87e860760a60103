import ArgumentParser

/// What a shell offers for the word that somebody is typing.
enum Completions {
    /// Files of settings.
    static var settings: CompletionKind { .file(extensions: ["yaml", "yml"]) }

    /// Servers: the one of the environment, and the one that `serve` starts.
    static var servers: CompletionKind {
        .custom { _, _, _ in
            let standard = HealthCommand.standardURL(EnvironmentVariables.all)
            return standard == "http://localhost:8080" ? [standard] : [standard, "http://localhost:8080"]
        }
    }

    /// The lists of the server that was named before.
    static var lists: CompletionKind {
        .custom { words, _, _ in
            guard let url = words.first(where: { $0.hasPrefix("http://") || $0.hasPrefix("https://") }) else {
                return []
            }
            return await names(of: url)
        }
    }

    /// None if the server does not answer within a second: somebody waits for the shell.
    private static func names(of url: String) async -> [String] {
        await withTaskGroup(of: [String].self) { group in
            group.addTask {
                do {
                    return try await ServedNames.of(url, headers: ShownToken.headers(nil))
                } catch {
                    // A shell can't tell an error to who is typing; the command will.
                    return []
                }
            }
            group.addTask {
                do { try await Task.sleep(for: .seconds(1)) } catch { return [] }
                return []
            }
            defer { group.cancelAll() }
            return await group.next() ?? []
        }
    }
}
