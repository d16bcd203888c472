/**
 * @template Item, Key
 * @param {readonly Item[]} items
 * @param {(item: Item) => Key} keyOf
 * @returns {Map<Key, Item[]>} items of one key in their order
 */
export function groupBy(items, keyOf) {
  /** @type {Map<Key, Item[]>} */
  const groups = new Map()
  for (const item of items) {
    const known = groups.get(keyOf(item))
    if (known === undefined) groups.set(keyOf(item), [item])
    else known.push(item)
  }
  return groups
}
