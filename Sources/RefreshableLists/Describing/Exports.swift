// Code that describes lists also needs rows, pull configurations and sources: one import provides them all.
@_exported public import KeyedLists
@_exported public import ListSources
@_exported public import Pulling
