// error: cannot find type 'Position' in scope
import RefreshableLists

let first: Position = 1
