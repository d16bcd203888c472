import { type Node, type Program, visitorKeys } from 'oxc-parser'

/** Calls `visit` for every node of a file, parents before children. */
export function walkSyntax(program: Program, visit: (node: Node) => void): void {
  const pending: Node[] = [program]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    visit(node)
    for (const key of visitorKeys[node.type] ?? []) {
      const child: unknown = Reflect.get(node, key)
      pending.push(...(Array.isArray(child) ? child : [child]).filter(isNode))
    }
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
