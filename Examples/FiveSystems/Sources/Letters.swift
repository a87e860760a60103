import RefreshableLists

/// A list whose refresh action anything may call: the page's button, a key, code. It reports how far it is, and a person
/// may stop it.
func letters(_ clock: any Clock<Duration>) -> RefreshableList {
    RefreshableList("letters")
        .refreshable { run in
            for (index, subject) in ["Notes on the engine", "A parcel is waiting", "Found a moth"].enumerated() {
                try await clock.sleep(for: .seconds(1))
                run.yield(subject)
                run.progress(index + 1, of: 3, "\(index + 1) of 3 letters")
            }
        }
        .mode(.stream)
}

/// A list without an action: there is nothing to pull, and its button is disabled.
func drafts() -> RefreshableList {
    RefreshableList("drafts").rows([ListRow("reply", title: "Re: Can it think?", subtitle: "Not sent")])
}
