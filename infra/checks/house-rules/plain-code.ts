import type { HouseRule } from './source-file.js'
import { walkSyntax } from './syntax-walk.js'

/** Folders that say what kind of thing is in them instead of what it is about. */
const KIND_FOLDERS = new Set(['utils', 'util', 'helpers', 'types', 'services', 'common', 'lib', 'shared', 'misc'])

/** Folders are domain nouns. */
export const domainFolders: HouseRule = ({ path }) =>
  path
    .split('/')
    .slice(0, -1)
    .filter((folder) => KIND_FOLDERS.has(folder))
    .map((folder) => ({ path, message: `the folder ${folder}/ names a kind, not an idea of the domain` }))

/** A finding of a tool is mended, never silenced. */
export const noSuppressions: HouseRule = ({ path, comments }) =>
  comments
    .filter(({ value }) => /(?:oxlint|eslint)-disable|biome-ignore|@ts-(?:ignore|expect-error|nocheck)/.test(value))
    .map(({ value }) => ({ path, message: `silences a check: ${value.trim()}` }))

/** What is public is listed name by name, and no assertion goes by way of `unknown`, which would allow any. */
export const explicitNames: HouseRule = ({ path, program }) => {
  const messages: string[] = []
  walkSyntax(program, (node) => {
    if (node.type === 'ExportAllDeclaration') {
      messages.push(`export * from '${node.source.value}' hides what is public: list the names`)
    } else if (node.type === 'TSAsExpression' && node.expression.type === 'TSAsExpression') {
      const isDetour = node.expression.typeAnnotation.type === 'TSUnknownKeyword'
      if (isDetour) messages.push('`as unknown as` asserts what nothing has checked')
    }
  })
  return messages.map((message) => ({ path, message }))
}

/** Every exported declaration of the sources says what it does, in a TSDoc comment right above it. */
export const documentedExports: HouseRule = ({ path, area, program, comments, text }) => {
  if (area === 'test') return []
  return program.body.flatMap((node) => {
    if (node.type !== 'ExportNamedDeclaration' || !node.declaration) return []
    const isDocumented = comments.some(
      ({ type, value, end }) =>
        type === 'Block' && value.startsWith('*') && end <= node.start && text.slice(end, node.start).trim() === '',
    )
    if (isDocumented) return []
    const line = text.slice(node.start).split('\n', 1)[0]
    return [{ path, message: `has no TSDoc comment: ${line}` }]
  })
}
