/**
 * Gathers what one turn of the event loop wants written, so that it goes out as few commands with many members each: a busy process
 * makes the same small write for many calls in a turn, and each command costs both sides more than a member does.
 * @param write - writes what was gathered
 * @returns how to add an item; settles as the write of its turn does
 */
export function gatherTurn<Item>(write: (items: readonly Item[]) => Promise<void>): (item: Item) => Promise<void> {
  let open: { readonly items: Item[]; readonly written: Promise<void> } | undefined
  return (item) => {
    if (open === undefined) {
      const items: Item[] = []
      const turnEnds = new Promise<void>((resolve) => setImmediate(resolve))
      const written = turnEnds.then(() => {
        open = undefined
        return write(items)
      })
      open = { items, written }
    }
    open.items.push(item)
    return open.written
  }
}
