import { isJsonObject, type JsonObject } from '../json-rpc/frame.js'

/** Capabilities of clients whose form the revisions give, with those of their members that are objects too (`ClientCapabilities`). */
const FORMS: readonly (readonly [name: string, members: readonly string[]])[] = [
  ['elicitation', ['form', 'url']],
  ['sampling', ['context', 'tools']],
  ['roots', []],
  ['tasks', ['requests']],
]

/** Capabilities that are maps of names to objects. */
const MAPS = ['extensions', 'experimental'] as const

/**
 * The place of a capability that has another form than the revisions give it, which is always an object; undefined where there is
 * none. What they do not name may be anything.
 */
export function findMisdeclared(capabilities: JsonObject): string | undefined {
  for (const [name, members] of FORMS) {
    const value = capabilities[name]
    if (value === undefined) continue
    if (!isJsonObject(value)) return name
    const member = members.find((key) => value[key] !== undefined && !isJsonObject(value[key]))
    if (member !== undefined) return `${name}.${member}`
  }
  for (const name of MAPS) {
    const value = capabilities[name]
    if (value === undefined) continue
    if (!isJsonObject(value)) return name
    const member = Object.keys(value).find((key) => !isJsonObject(value[key]))
    if (member !== undefined) return `${name}.${member}`
  }
  return undefined
}
