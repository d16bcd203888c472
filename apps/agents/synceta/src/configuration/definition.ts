/** An HTTP service that fixtures are played to. */
export interface TargetDefinition {
  readonly name: string
  /** Base URL; the paths of fixtures begin below its path. */
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  /** Ranges of addresses beside the public ones that its host may stand for, each as a CIDR. */
  readonly allowAddresses: readonly string[]
}

/** Recorded requests and what is expected of their answers. */
export interface FixturesDefinition {
  readonly kind: 'fixtures'
  readonly name: string
  readonly description?: string
  /** Absolute path. */
  readonly folder: string
  readonly target: TargetDefinition
  readonly concurrency: number
  readonly caseTimeoutMs: number
  readonly timeoutMs: number
  /** Values that nobody may get to read. */
  readonly secrets: readonly string[]
}

/** A test command that reports its cases. */
export interface CommandDefinition {
  readonly kind: 'command'
  readonly name: string
  readonly description?: string
  readonly command: readonly string[]
  /** Absolute path. */
  readonly cwd: string
  readonly output: 'tap' | 'jest-json'
  /** All that the command gets to see. */
  readonly environment: Readonly<Record<string, string>>
  /** Arguments by the name of a filter. */
  readonly filters: ReadonlyMap<string, readonly string[]>
  readonly failFastArguments?: readonly string[]
  readonly timeoutMs: number
  /** Values that nobody may get to read. */
  readonly secrets: readonly string[]
}

/** A suite that callers may name; only the configuration file makes one (invariant 13). */
export type SuiteDefinition = FixturesDefinition | CommandDefinition
