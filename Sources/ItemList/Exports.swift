// Whoever has a list has the pages that it is made of, and the ids of their items.
@_exported public import ItemBytes
