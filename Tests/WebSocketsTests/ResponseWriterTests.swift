import Testing

@testable import WebSockets

/// How an answer is cut for a peer that may take it slowly.
struct ResponseWriterTests {
    private static func pieces(of response: HTTPResponse, to method: String = "GET") -> [ArraySlice<UInt8>] {
        var answer = ResponseWriter(response, to: method, closing: false)
        return Array(sequence(state: ()) { _ in answer.next() })
    }

    @Test(arguments: [0, 1, 16_000, 16_384, 16_385, 100_000])
    func itsPiecesTogetherAreHeadAndBody(_ count: Int) {
        let response = HTTPResponse.json(200, (0..<count).map { UInt8(truncatingIfNeeded: $0 / 7) })
        let pieces = Self.pieces(of: response)
        #expect(Array(pieces.joined()) == response.head(closing: false) + response.body)
        #expect(pieces.allSatisfy { !$0.isEmpty && $0.count <= ResponseWriter.pieceSize })
    }

    @Test func whatIsSmallIsOnePiece() {
        #expect(Self.pieces(of: .json(200, [UInt8](repeating: 0x20, count: 10_000))).count == 1)
    }

    @Test func allBehindTheFirstPieceIsTheBodyItselfAndNoCopy() throws {
        let body = [UInt8](repeating: 0x61, count: 300_000)
        for piece in Self.pieces(of: .json(200, body)).dropFirst() {
            let place = body.withUnsafeBufferPointer { $0.baseAddress.map { $0 + piece.startIndex } }
            #expect(piece.withUnsafeBufferPointer { $0.baseAddress } == place)
        }
    }

    @Test(arguments: [(200, "HEAD"), (204, "GET"), (304, "GET")])
    func whereNoBodyBelongsTheHeadIsAll(_ status: Int, _ method: String) {
        let response = HTTPResponse(status: status, body: [UInt8](repeating: 0x61, count: 50_000))
        #expect(Self.pieces(of: response, to: method).map(Array.init) == [response.head(closing: false)])
    }
}
