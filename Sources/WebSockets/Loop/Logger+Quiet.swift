public import Logging

extension Logger {
    /// A logger that says nothing: the default of this module.
    public static var quiet: Logger {
        Logger(label: "websockets", factory: { _ in SwiftLogNoOpLogHandler() })
    }
}
