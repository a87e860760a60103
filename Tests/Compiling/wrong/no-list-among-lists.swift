// error: Lists stand here, and arrays of them: RefreshableList("name")
import RefreshableLists

let server = RefreshableServer {
    RefreshableList("users")
    "names"
}
