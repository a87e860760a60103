@_exported public import ListSources

// One import provides what describes a list: rows, the pull and sources. By name, as the rest of the modules below is
// for ourselves, and names such as `Position` or `Patch` belong to those who import us.
@_exported public import struct KeyedLists.ChangeCounts
@_exported public import struct KeyedLists.Epoch
@_exported public import struct KeyedLists.Fields
@_exported public import struct KeyedLists.JSONError
@_exported public import enum KeyedLists.JSONValue
@_exported public import struct KeyedLists.Key
@_exported public import struct KeyedLists.ListRow
@_exported public import enum KeyedLists.Place
@_exported public import typealias KeyedLists.Revision
@_exported public import enum KeyedLists.Window
@_exported public import struct Pulling.PullConfiguration
@_exported public import struct Pulling.PullConfigurationError

#if Commands
    @_exported public import CommandSources
#endif

#if PostgreSQL
    @_exported public import PostgresSources
#endif
#if SQLite
    @_exported public import SQLiteSources
#endif
#if Web
    @_exported public import WebSources
#endif
