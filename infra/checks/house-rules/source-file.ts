import { type Comment, type ParseResult, type Program, parseSync } from 'oxc-parser'

/** One of our TypeScript files, read once for all rules. */
export interface SourceFile {
  /** From the root, with `/`: `packages/core/src/call/state.ts`. */
  readonly path: string
  /** Folder of the workspace: `packages/core`, `apps/agents/syncboot`. */
  readonly workspace: string
  /** `src` is what ships, `test` what tests it. */
  readonly area: 'src' | 'test'
  readonly text: string
  readonly program: Program
  readonly comments: readonly Comment[]
  /** Everything that the file imports or hands on, types included, `import()` too. */
  readonly imports: readonly string[]
}

/** Something in a file that a rule does not allow. */
export interface Violation {
  readonly path: string
  /** Names what is wrong and what would be right. */
  readonly message: string
}

/** A rule of the house: what a file breaks of it. */
export type HouseRule = (file: SourceFile) => Violation[]

const PLACE = /^(packages\/[^/]+|apps\/agents\/[^/]+|apps\/[^/]+)\/(src|test)\//

/**
 * Reads a file for the rules.
 *
 * @throws Error when the path lies in no workspace, or the text is not TypeScript.
 */
export function readSourceFile(path: string, text: string): SourceFile {
  const { workspace, area } = locate(path)
  const parsed = parseSync(path, text)
  const [error] = parsed.errors
  if (error !== undefined) throw new Error(`${path} cannot be parsed: ${error.message}`)
  return {
    path,
    workspace,
    area,
    text,
    program: parsed.program,
    comments: parsed.comments,
    imports: collectImports(parsed, text),
  }
}

function locate(path: string): { workspace: string; area: 'src' | 'test' } {
  const [, workspace, area] = PLACE.exec(path) ?? []
  if (workspace === undefined || area === undefined) throw new Error(`${path} is in the src or test of no workspace`)
  return { workspace, area: area === 'src' ? 'src' : 'test' }
}

function collectImports({ module }: ParseResult, text: string): string[] {
  const handedOn = module.staticExports.flatMap(({ entries }) => entries.map((entry) => entry.moduleRequest?.value))
  // A computed `import(name)` has no name to judge; its source text then stands for it and matches no rule.
  const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
    text.slice(start, end).replace(/^['"`]|['"`]$/g, ''),
  )
  const named = module.staticImports.map(({ moduleRequest }) => moduleRequest.value)
  return [...named, ...handedOn.filter((name) => name !== undefined), ...dynamic]
}
