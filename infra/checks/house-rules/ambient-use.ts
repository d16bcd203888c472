import { isBuiltin } from 'node:module'
import type { BindingPattern, Node } from 'oxc-parser'
import type { HouseRule, SourceFile } from './source-file.js'
import { walkSyntax } from './syntax-walk.js'

/** These run in browsers too. */
const NODE_FREE = new Set(['packages/protocol', 'packages/client'])

/** Core decides by what it is given: its ports bring storage, transport, logs and the time. */
const CORE = 'packages/core'
const NOT_IN_CORE = /^(?:express|ioredis|bullmq|pino|(?:node:)?(?:http|https|net|fs|child_process)(?:\/.*)?)$/

/** Sources of `packages/protocol` and `packages/client` use nothing that only Node has. */
export const nodeFree: HouseRule = (file) => {
  if (file.area === 'test' || !NODE_FREE.has(file.workspace)) return []
  const used = [...file.imports.filter((name) => isBuiltin(name)), ...findUses(file, /^(?:process|Buffer|global)$/)]
  return used.map((name) => ({
    path: file.path,
    message: `${name} exists only in Node, ${file.workspace} must not use it`,
  }))
}

/** Sources of `packages/core` read no clock and reach no store, network or logger. */
export const pureCore: HouseRule = (file) => {
  if (file.area === 'test' || file.workspace !== CORE) return []
  const used = [
    ...file.imports.filter((name) => NOT_IN_CORE.test(name)),
    ...findUses(file, /^(?:Date\.now|new Date|performance\.now|process\..*|Math\.random)$/),
  ]
  return used.map((name) => ({
    path: file.path,
    message: `${name} is not for core: take it through a port or a parameter`,
  }))
}

/** The environment is read in one file of an app, `src/env.ts`; everyone else is handed a typed part of it. */
export const oneEnvironmentReader: HouseRule = (file) => {
  if (file.area === 'test' || /^apps\/.*\/src\/env\.ts$/.test(file.path)) return []
  const message = 'process.env is read in src/env.ts of an app only'
  return findUses(file, /^process\.env$/).map(() => ({ path: file.path, message }))
}

/**
 * Names of what a file uses and does not declare itself: `process.env`, `Buffer.from`, `Date.now`; `new Date` is one
 * without arguments, which reads the clock. A bare name is listed beside its member, e.g. `process` beside `process.env`.
 */
function findUses({ program }: SourceFile, pattern: RegExp): string[] {
  const uses: string[] = []
  const note = (name: string | undefined): void => {
    if (name !== undefined && pattern.test(name)) uses.push(name)
  }
  walkSyntax(program, (node) => {
    if (node.type === 'MemberExpression') {
      const owner = nameOf(node.object)
      note(owner)
      const member = node.computed ? undefined : nameOf(node.property)
      if (owner !== undefined && member !== undefined) note(`${owner}.${member}`)
    } else if (node.type === 'VariableDeclarator' && node.init !== null) {
      const owner = nameOf(node.init)
      note(owner)
      // `const { env } = process` reads what `process.env` reads.
      if (owner !== undefined) for (const member of destructuredNames(node.id)) note(`${owner}.${member}`)
    } else if (node.type === 'NewExpression') {
      const callee = nameOf(node.callee)
      note(callee)
      if (node.arguments.length === 0) note(`new ${callee}`)
    } else if (node.type === 'CallExpression') {
      note(nameOf(node.callee))
    }
  })
  return uses
}

function nameOf(node: Node): string | undefined {
  return node.type === 'Identifier' ? node.name : undefined
}

function destructuredNames(pattern: BindingPattern): string[] {
  if (pattern.type !== 'ObjectPattern') return []
  return pattern.properties.flatMap((property) => {
    const name = property.type === 'Property' ? nameOf(property.key) : undefined
    return name === undefined ? [] : [name]
  })
}
