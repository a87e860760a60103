import Testing

@testable import RefreshableCommand

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

struct PushInputTests {
    @Test func whatIsThereIsOneBatch() throws {
        try withPipe { input, type in
            type("{\"key\":\"a\",\"fields\":{}}\n\n  \n{\"key\":\"b\",\"fields\":{}}\r\n{\"key\":")
            let batch1 = try input.next()
            #expect(batch1?.count == 2)
            type("\"c\",\"fields\":{}}")
            type(nil)
            let batch2 = try input.next()
            #expect(batch2?.count == 1)
            let batch3 = try input.next()
            #expect(batch3 == nil)
        }
    }

    @Test func aKeyThatComesAgainIsPushedAfterwards() throws {
        try withPipe { input, type in
            type("{\"key\":\"a\",\"fields\":{}}\n{\"key\":\"a\",\"fields\":null}\n")
            type(nil)
            #expect(
                try input.next().map { String(decoding: $0.body, as: UTF8.self) }?.contains("\"remove\":[]") == true)
            let batch4 = try input.next()
            #expect(batch4.map { String(decoding: $0.body, as: UTF8.self) }?.contains("\"set\":[]") == true)
        }
    }

    @Test func whatStandsBeforeAFaultIsPushed() throws {
        try withPipe { input, type in
            type("{\"key\":\"a\",\"fields\":{}}\nnonsense\n{\"key\":\"b\",\"fields\":{}}\n")
            let batch5 = try input.next()
            #expect(batch5?.count == 1)
            let fault = #expect(throws: PushBatch.Fault.self) { _ = try input.next() }
            #expect(fault?.line == 2)
        }
    }

    /// - Parameter body: gets the input, and what types into it; nil ends it.
    private func withPipe(_ body: (inout PushInput, (String?) -> Void) throws -> Void) throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        var input = PushInput(descriptor: ends[0])
        var isOpen = true
        defer { if isOpen { close(ends[1]) } }
        try body(&input) { text in
            guard let text else {
                isOpen = false
                _ = close(ends[1])
                return
            }
            let bytes = Array(text.utf8)
            #expect(write(ends[1], bytes, bytes.count) == bytes.count)
        }
    }
}
