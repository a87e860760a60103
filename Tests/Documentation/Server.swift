import RefreshableLists

// The server of the examples that are no whole programs.
let server = RefreshableServer(lists: [])
