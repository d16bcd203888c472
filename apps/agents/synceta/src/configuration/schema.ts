import ipaddr from 'ipaddr.js'
import { z } from 'zod'

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/
const NAME_RULE = 'must be 1 to 64 letters, digits, _ or -, beginning with a letter or digit'

const name = z.string().regex(NAME, NAME_RULE)
const variableName = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable, such as SYNCHUB_URL')
const description = z.string().min(1).max(300).optional().describe('What is tested, shown to callers.')
const argument = z.string().regex(/^[^\0]*$/, 'must hold no NUL')
const count = (byDefault: number, from: number, to: number) => z.int().min(from).max(to).default(byDefault)

const url = z
  .union([
    z.string().min(1),
    z.strictObject({ env: variableName, default: z.string().min(1).optional().describe('Where it is not set.') }),
  ])
  .describe('Base URL, http or https, without credentials; or the environment variable that holds it.')

const headerValue = z.union([
  z.string(),
  z.strictObject({
    env: variableName,
    prefix: z.string().default('').describe('Stands before the value, e.g. "Bearer ".'),
    optional: z.boolean().default(false).describe('Leaves the header out where the variable is not set.'),
  }),
])

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be the name of an HTTP header')

const target = z
  .strictObject({
    url,
    headers: z
      .record(headerName, headerValue)
      .default({})
      .describe(
        'Sent with every request. Values from the environment are secrets: no result, report or event shows them.',
      ),
    allowAddresses: z
      .array(z.string().refine(isCidr, 'must be a range of addresses, such as 127.0.0.0/8 or ::1/128'))
      .default([])
      .describe('Ranges beside the public addresses that the host may stand for, such as 127.0.0.0/8.'),
  })
  .describe('An HTTP service that fixtures are played to. Redirects are never followed.')

const fixturesSuite = z
  .strictObject({
    kind: z.literal('fixtures'),
    folder: z.string().min(1).describe("Folder of fixture files (*.json), relative to this file's own folder."),
    target: name.describe('One of the targets.'),
    concurrency: count(1, 1, 32).describe('Cases at the same time; one that needs a captured value waits for it.'),
    caseTimeoutMs: count(10_000, 10, 600_000).describe('For a case that names no time of its own.'),
    timeoutMs: count(600_000, 100, 86_400_000).describe('For the whole suite.'),
    description,
  })
  .describe('Recorded requests, played to a target and compared with what is expected.')

const environment = z.strictObject({
  pass: z.array(variableName).default(['PATH', 'HOME', 'TMPDIR']).describe('Variables that the command gets to see.'),
  secrets: z
    .array(variableName)
    .default([])
    .describe('Variables that it gets to see, and whose values no result, report or event shows.'),
  set: z.record(variableName, argument).default({}).describe('Values of its own.'),
})

const commandSuite = z
  .strictObject({
    kind: z.literal('command'),
    command: z.array(argument).min(1).describe('Program and arguments, as they are: no shell reads them.'),
    cwd: z.string().min(1).default('.').describe("Folder it runs in, relative to this file's own folder."),
    output: z
      .enum(['tap', 'jest-json'])
      .describe('What it prints on its standard output: TAP as it goes, or the JSON of `jest --json` at the end.'),
    environment: environment.prefault({}),
    filters: z
      .record(name, z.array(z.string()).min(1))
      .default({})
      .describe('By the name that a caller gives as filter: arguments that are added to the command.'),
    failFastArguments: z
      .array(argument)
      .min(1)
      .optional()
      .describe('Added when a caller wants to stop at the first failure. Without them TAP is stopped from outside.'),
    timeoutMs: count(1_800_000, 100, 86_400_000).describe('For the whole run; then its processes are ended.'),
    description,
  })
  .describe('A test command that reports its cases as TAP or as the JSON of Jest (Vitest writes the same).')

const limits = z.strictObject({
  maxConcurrentRuns: count(2, 1, 8).describe('Further ones wait; of one command suite only one runs at a time.'),
  maxCases: count(5_000, 1, 100_000).describe('In one run.'),
  maxOutputBytes: count(16_777_216, 1_024, 268_435_456).describe('Of a command, standard output and error together.'),
  maxResponseBytes: count(1_048_576, 1_024, 67_108_864).describe('Of one response of a target.'),
  killGraceMs: count(2_000, 50, 3_000).describe('Between the request to end and the end by force of a command.'),
  maxReports: count(500, 1, 100_000).describe('The oldest reports beyond this number are removed.'),
})

/** The form of SyncETA's configuration file; the published JSON Schema is generated from it. */
export const configurationSchema = z.strictObject({
  $schema: z.string().optional(),
  targets: z.record(name, target).default({}),
  suites: z
    .record(name, z.discriminatedUnion('kind', [fixturesSuite, commandSuite]))
    .refine((suites) => Object.keys(suites).length > 0, 'must name at least one suite')
    .refine((suites) => Object.keys(suites).length <= 64, 'must name at most 64 suites'),
  limits: limits.prefault({}),
})

function isCidr(text: string): boolean {
  return ipaddr.isValidCIDR(text)
}

/** SyncETA's configuration as it stands in the file, defaults filled in. */
export type ConfigurationFile = z.infer<typeof configurationSchema>
/** Bounds of the runs and of the store of reports. */
export type Limits = ConfigurationFile['limits']
