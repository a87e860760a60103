// What a program reads that uses a source whose trait its Package.swift leaves out.

#if !SQLite
    /// Rows of a SQLite database, by the package's trait `SQLite`.
    @available(*, unavailable, message: "It takes the trait SQLite: name it in Package.swift.")
    public enum SQLiteSource {}
#endif

#if !Web
    /// Rows of a web server, by the package's trait `Web`.
    @available(*, unavailable, message: "It takes the trait Web: name it in Package.swift.")
    public enum WebSource {}
#endif

#if !Commands
    /// Rows of a command, by the package's trait `Commands`.
    @available(*, unavailable, message: "It takes the trait Commands: name it in Package.swift.")
    public enum CommandSource {}
    /// An action that is a command, by the package's trait `Commands`.
    @available(*, unavailable, message: "It takes the trait Commands: name it in Package.swift.")
    public enum CommandAction {}
#endif
