// One import provides what a list is made of and what a server says of it. By name, as the rest of the modules below is for
// ourselves.
@_exported public import struct KeyedLists.ChangeCounts
@_exported public import struct KeyedLists.Epoch
@_exported public import struct KeyedLists.Fields
@_exported public import enum KeyedLists.JSONValue
@_exported public import struct KeyedLists.Key
@_exported public import struct KeyedLists.ListRow
@_exported public import typealias KeyedLists.Revision
@_exported public import enum KeyedLists.Window
@_exported public import struct KeyedLists.WindowPlace
@_exported public import struct ListProtocol.ActionDescription
@_exported public import struct ListProtocol.ActionState
@_exported public import enum ListProtocol.ErrorCode
@_exported public import struct ListProtocol.LastRun
@_exported public import struct ListProtocol.ListDescription
@_exported public import struct ListProtocol.ListState
@_exported public import struct ListProtocol.Noun
@_exported public import enum ListProtocol.Phase
@_exported public import struct ListProtocol.PullDescription
@_exported public import struct ListProtocol.RunError
@_exported public import enum ListProtocol.RunReference
@_exported public import enum ListProtocol.Sections
@_exported public import struct ListProtocol.ViewRequest
