// Whoever describes lists writes rows, pulls and sources: one import has them all.
@_exported public import KeyedLists
@_exported public import ListSources
@_exported public import Pulling
