import Testing

@testable import RefreshableCommand

/// Flag over environment over default, and one sentence for what can't be.
struct ServeSettingsTests {
    @Test
    func withoutAWordItServesThisMachine() throws {
        let settings = try ServeSettings(.init(), environment: [:])
        #expect(settings.lists == nil && settings.host == "localhost" && settings.port == 8080 && settings.loops == nil)
        #expect(
            settings.data == nil && !settings.isEphemeral && "\(settings.logLevel)" == "notice" && settings.isLoopback)
    }

    @Test
    func everyOptionHasAVariable() throws {
        let settings = try ServeSettings(
            .init(),
            environment: [
                "REFRESHABLE_LISTS": "a.yaml", "REFRESHABLE_HOST": "0.0.0.0", "REFRESHABLE_PORT": "0",
                "REFRESHABLE_PUBLIC": "web", "REFRESHABLE_DATA": "/data", "REFRESHABLE_EPHEMERAL": "false",
                "REFRESHABLE_LOOPS": "2", "REFRESHABLE_ALLOW_HOST": "a.example, b.example",
                "REFRESHABLE_ALLOW_ORIGIN": "https://c.example", "REFRESHABLE_LOG_LEVEL": "debug",
                "REFRESHABLE_PUSH_TOKEN": "dG9rZW4+/-._~abc==", "REFRESHABLE_CERTIFICATE": "a.pem",
                "REFRESHABLE_KEY": "a.key", "REFRESHABLE_REDIRECT_PORT": "80", "REFRESHABLE_HSTS": "24h",
                "REFRESHABLE_MEMORY_FOR_VISITORS": "256MiB", "REFRESHABLE_METRICS": "all", "REFRESHABLE_DRAIN": "1m",
                "REFRESHABLE_LOG_FORMAT": "json",
            ])
        #expect(settings.lists == "a.yaml" && settings.host == "0.0.0.0" && settings.port == 0 && !settings.isLoopback)
        #expect(settings.publicFolder == "web" && settings.data == "/data" && settings.loops == 2)
        #expect(settings.allowedHosts == ["a.example", "b.example"])
        #expect(settings.pushToken == "dG9rZW4+/-._~abc==")
        #expect(settings.certificate == "a.pem" && settings.key == "a.key" && settings.redirectPort == 80)
        #expect(settings.strictTransport == .seconds(86_400) && settings.memoryForVisitors == 256 << 20)
        #expect(settings.metrics == .all && settings.drain == .seconds(60) && settings.logFormat == .json)
        #expect(settings.allowedOrigins == ["https://c.example"] && "\(settings.logLevel)" == "debug")
    }

    @Test
    func aFlagWinsOverItsVariable() throws {
        let settings = try ServeSettings(
            .init(port: "9000", data: "here", allowedHosts: ["flag"]),
            environment: [
                "REFRESHABLE_PORT": "1", "REFRESHABLE_EPHEMERAL": "true", "REFRESHABLE_ALLOW_HOST": "variable",
            ])
        #expect(settings.port == 9000 && settings.allowedHosts == ["flag"])
        #expect(settings.data == "here" && !settings.isEphemeral)
    }

    @Test
    func aVariableWinsOverTheFile() throws {
        let file: [ServeSettings.Name: String] = [
            .host: "a.example", .port: "1", .data: "file", .ephemeral: "true", .loops: "4", .allowHosts: "file",
            .allowOrigins: "https://file.example", .pushToken: "dG9rZW4-of-the-file", .logLevel: "error",
            .publicFolder: "file", .metrics: "off",
        ]
        let alone = try ServeSettings(.init(), environment: [:], file: file)
        let beside = try ServeSettings(
            .init(port: "3", logLevel: "debug"),
            environment: [
                "REFRESHABLE_PORT": "2", "REFRESHABLE_LOOPS": "2", "REFRESHABLE_ALLOW_HOST": "variable",
                "REFRESHABLE_DATA": "variable", "REFRESHABLE_HOST": "",
            ], file: file)
        #expect(alone.host == "a.example" && alone.port == 1 && alone.data == "file" && alone.isEphemeral)
        #expect(alone.loops == 4 && alone.allowedHosts == ["file"] && alone.allowedOrigins == ["https://file.example"])
        #expect(
            alone.pushToken == "dG9rZW4-of-the-file" && "\(alone.logLevel)" == "error" && alone.publicFolder == "file"
                && alone.metrics == .off)
        #expect(
            beside.port == 3 && beside.loops == 2 && beside.allowedHosts == ["variable"] && beside.host == "a.example")
        #expect(beside.data == "variable" && !beside.isEphemeral && "\(beside.logLevel)" == "debug")
    }

    @Test
    func everyNameOfTheFileIsToldApartInAFault() {
        let fault = #expect(throws: ServeSettings.Fault.self) {
            try ServeSettings(.init(), environment: [:], file: [.port: "http"])
        }
        #expect(fault?.name == "server.port")
    }

    @Test(arguments: [
        (ServeSettings.Flags(certificate: "a.pem"), "--key"), (ServeSettings.Flags(key: "a.key"), "--certificate"),
        (ServeSettings.Flags(redirectPort: "80"), "--redirect-port"),
    ])
    func halfOfTLSIsAFaultOnceAllIsSaid(flags: ServeSettings.Flags, name: String) throws {
        let settings = try ServeSettings(flags, environment: [:])
        let fault = #expect(throws: ServeSettings.Fault.self) { try settings.checkWhole() }
        #expect(fault?.name == name)
        let whole = try ServeSettings(flags, environment: [:], file: [.certificate: "b.pem", .key: "b.key"])
        #expect(throws: Never.self) { try whole.checkWhole() }
    }

    @Test
    func browsersAreToldToStayForAYearUnlessToldOtherwise() throws {
        #expect(try ServeSettings(.init(), environment: [:]).strictTransport == .seconds(31_536_000))
        #expect(try ServeSettings(.init(hsts: "none"), environment: [:]).strictTransport == nil)
    }

    @Test
    func anEmptyVariableIsNotSet() throws {
        #expect(try ServeSettings(.init(), environment: ["REFRESHABLE_PORT": ""]).port == 8080)
    }

    @Test(arguments: [
        (ServeSettings.Flags(port: "80a"), #"--port: expected a port from 0 (any free one) to 65535, got "80a"."#),
        (ServeSettings.Flags(port: "65536"), #"--port: expected a port from 0 (any free one) to 65535, got "65536"."#),
        (
            ServeSettings.Flags(redirectPort: "http"),
            #"--redirect-port: expected a port from 0 (any free one) to 65535, got "http"."#
        ),
        (
            ServeSettings.Flags(hsts: "1 year"),
            #"--hsts: expected a duration such as 24h or 8760h, or none, got "1 year"."#
        ),
        (
            ServeSettings.Flags(maxConnections: "0"),
            #"--max-connections: expected a number from 1 to 1000000, got "0"."#
        ),
        (
            ServeSettings.Flags(maxConnectionsPerAddress: "many"),
            #"--max-connections-per-address: expected a number from 1 to 1000000, got "many"."#
        ),
        (ServeSettings.Flags(loops: "0"), #"--loops: expected a number of threads from 1 to 64, got "0"."#),
        (
            ServeSettings.Flags(logLevel: "loud"),
            "--log-level: expected trace, debug, info, notice, warning, error or critical, got \"loud\"."
        ),
        (
            ServeSettings.Flags(allowedOrigins: ["example.org"]),
            "--allow-origin: expected a scheme and a host, and no path, such as https://example.org, or *, got \"example.org\"."
        ),
        (
            ServeSettings.Flags(pushToken: "secret"),
            #"--push-token: expected 16 to 512 letters, digits and -._~+/=, got "******"."#
        ),
        (
            ServeSettings.Flags(pushToken: "a secret with spaces"),
            #"--push-token: expected 16 to 512 letters, digits and -._~+/=, got "****************"."#
        ),
    ])
    func aFaultyFlagIsNamed(flags: ServeSettings.Flags, message: String) {
        let fault = #expect(throws: ServeSettings.Fault.self) { try ServeSettings(flags, environment: [:]) }
        #expect(fault?.description == message)
    }

    @Test(arguments: [
        ("PORT", "http", #"REFRESHABLE_PORT: expected a port from 0 (any free one) to 65535, got "http"."#),
        ("EPHEMERAL", "perhaps", #"REFRESHABLE_EPHEMERAL: expected true or false, got "perhaps"."#),
        (
            "ALLOW_ORIGIN", "https://a.example/x",
            "REFRESHABLE_ALLOW_ORIGIN: expected a scheme and a host, and no path, such as https://example.org, or *, "
                + "got \"https://a.example/x\"."
        ),
    ])
    func aFaultyVariableIsNamed(name: String, value: String, message: String) {
        let fault = #expect(throws: ServeSettings.Fault.self) {
            try ServeSettings(.init(), environment: ["REFRESHABLE_\(name)": value])
        }
        #expect(fault?.description == message)
    }
}
