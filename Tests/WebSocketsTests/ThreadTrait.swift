import Testing
import WebSockets

/// Runs each case on a thread of its own, for those that block, as `RawPeer` does, or reckon for long: the threads of the
/// global pool are few, and what other tests wait for needs one.
struct ThreadTrait: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        let loop = try ServiceLoop(name: "test")
        loop.start()
        do {
            try await withTaskExecutorPreference(loop) { try await function() }
        } catch {
            await loop.stop()
            throw error
        }
        await loop.stop()
    }
}

extension Trait where Self == ThreadTrait {
    static var onThreadOfItsOwn: Self { ThreadTrait() }
}
