import ArgumentParser

/// The file that settings are read from.
enum SettingsFile {
    private static let howToStart = """
        There is no lists.yaml in this folder. `refreshable init` writes one that explains itself; or name another file: \
        `refreshable serve FILE`.
        """
    private static let otherName = """
        There is no lists.yaml in this folder, but a lists.yml. Name it, as in `refreshable serve lists.yml`, or rename it.
        """

    /// The file that was named, or `lists.yaml`.
    ///
    /// - Throws: `ExitCode.noInput`, when it has said how to begin, if none was named and there is none.
    static func path(_ named: String?) throws -> String {
        if let named { return named }
        guard TextFile.exists("lists.yaml") else {
            Console.warn(TextFile.exists("lists.yml") ? otherName : howToStart)
            throw ExitCode.noInput
        }
        return "lists.yaml"
    }

    /// - Throws: `TextFile.Unreadable`, `SettingsFaults`.
    static func read(_ file: String) throws -> Settings {
        try Settings(reading: try TextFile.read(file), file: file, environment: EnvironmentVariables.every)
    }
}
