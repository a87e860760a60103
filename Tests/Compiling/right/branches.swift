import RefreshableLists

func fruit(isSummer: Bool, market: @escaping @Sendable () async throws -> [String]) -> RefreshableServer {
    RefreshableServer {
        RefreshableList("a").refreshable { if isSummer { try await market() } else { ["none"] } }
        RefreshableList("b").refreshable { if isSummer { [ListRow("a")] } else { [] } }
        RefreshableList("c").task { [] }.onRefresh { _ = try await market() }
        RefreshableList("d").onFirstLoad { _ = try await market() }
        if isSummer { RefreshableList("e") }
        for name in ["f", "g"] { RefreshableList(name) }
    }
}
