// KeyedLists
