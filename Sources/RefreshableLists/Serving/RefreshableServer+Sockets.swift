import WebSockets

extension RefreshableServer.Configuration {
    /// What the sockets below are to do.
    var sockets: WebSocketServer.Configuration {
        var sockets = WebSocketServer.Configuration()
        sockets.host = host
        sockets.port = port ?? 0
        sockets.allowedHosts = allowedHosts
        sockets.allowedOrigins = allowedOrigins
        sockets.messageLimit = 16 * 1024
        sockets.subprotocols = ["refreshable.v1"]
        sockets.proxies = proxies.compactMap { AddressBlock($0) }
        sockets.heartbeat = heartbeat
        let memory = memory
        sockets.maximumConnections = memory.connections
        sockets.bodyBudget = memory.bodyBudget
        sockets.connectionBudget = memory.connectionBudget
        sockets.maximumConnectionsPerAddress = maximumConnectionsPerAddress
        sockets.strictTransport = allowedHosts.isEmpty ? nil : tls?.strictTransport
        sockets.hostHint = "Start the server with \(SettingNames[.allowedHosts]) to accept another name."
        sockets.originHint = "Start the server with \(SettingNames[.allowedOrigins]) to allow it."
        sockets.portHint = "Choose another with \(SettingNames[.port])."
        return sockets
    }

    /// What is served beside the lists: the built-in page, and over it the files of a folder.
    func files() throws -> StaticFiles {
        if let publicFolder { return try StaticFiles(folder: publicFolder, over: Page.files) }
        return StaticFiles(files: Page.files)
    }
}
