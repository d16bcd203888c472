import fc from 'fast-check'

/** JSON as a tree that can hold one name twice in an object, which a JavaScript object cannot. */
export type JsonTree =
  | { readonly kind: 'scalar'; readonly value: string | number | boolean | null }
  | { readonly kind: 'array'; readonly items: readonly JsonTree[] }
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, JsonTree])[] }

// Few and awkward names, so that equal ones meet often.
const name = fc.constantFrom('a', 'b', '', '"', '\\', '\\"', '{', 'a":1,"a', '\u2028', '\ud800', '한', '__proto__')
const scalar = fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), name, fc.double(), fc.boolean(), fc.constant(null))

/** Any JSON tree, names that stand twice included. */
export const jsonTree: fc.Arbitrary<JsonTree> = fc.letrec<{ tree: JsonTree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6, depthSize: 'medium', withCrossShrink: true },
    scalar.map((value): JsonTree => ({ kind: 'scalar', value })),
    fc.array(tie('tree'), { maxLength: 4 }).map((items): JsonTree => ({ kind: 'array', items })),
    fc.array(fc.tuple(name, tie('tree')), { maxLength: 4 }).map((members): JsonTree => ({ kind: 'object', members })),
  ),
})).tree

/** The first name that stands twice in one object, in the order of the text. */
export function duplicateName(tree: JsonTree): string | undefined {
  if (tree.kind === 'scalar') return undefined
  const seen = new Set<string>()
  const children: readonly (readonly [string | undefined, JsonTree])[] =
    tree.kind === 'array' ? tree.items.map((item) => [undefined, item] as const) : tree.members
  for (const [key, child] of children) {
    if (key !== undefined && seen.has(key)) return key
    if (key !== undefined) seen.add(key)
    const inner = duplicateName(child)
    if (inner !== undefined) return inner
  }
  return undefined
}

/** How deep objects and arrays are nested. */
export function nestingOf(tree: JsonTree): number {
  if (tree.kind === 'scalar') return 0
  const children = tree.kind === 'array' ? tree.items : tree.members.map(([, child]) => child)
  return 1 + Math.max(0, ...children.map(nestingOf))
}

/** Writes the tree; `choices` decide where white space and escapes stand. */
export function writeJson(tree: JsonTree, choices: Iterator<boolean>): string {
  const space = () => (choices.next().value === true ? ' \n' : '')
  if (tree.kind === 'scalar')
    return typeof tree.value === 'string' ? writeText(tree.value, choices) : JSON.stringify(tree.value)
  if (tree.kind === 'array')
    return `[${space()}${tree.items.map((item) => writeJson(item, choices)).join(`,${space()}`)}]`
  const members = tree.members.map(
    ([key, child]) => `${writeText(key, choices)}${space()}:${space()}${writeJson(child, choices)}`,
  )
  return `{${members.join(`${space()},${space()}`)}${space()}}`
}

function writeText(text: string, choices: Iterator<boolean>): string {
  if (choices.next().value !== true) return JSON.stringify(text)
  const escaped = text.split('').map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return `"${escaped.join('')}"`
}
