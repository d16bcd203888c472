import { z } from 'zod'

const SOURCE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/

const description = z.string().min(1).max(300).optional().describe('What the source holds, shown to callers.')

const folderSource = z
  .strictObject({
    kind: z.literal('folder'),
    path: z.string().min(1).describe("Folder, relative to this file's own folder."),
    include: z.array(z.string().min(1)).min(1).default(['**/*.{md,markdown,txt,html,htm}']).describe('Glob patterns.'),
    exclude: z
      .array(z.string().min(1))
      .default([])
      .describe('Glob patterns; node_modules and dot folders are never read.'),
    description,
  })
  .describe('Every matching file below a folder. Symbolic links are never followed.')

const fileSource = z
  .strictObject({
    kind: z.literal('file'),
    path: z.string().min(1).describe("File, relative to this file's own folder."),
    description,
  })
  .describe('One file, which may not be a symbolic link.')

const urlSource = z
  .strictObject({
    kind: z.literal('url'),
    url: z.string().min(1).describe('http or https, without credentials.'),
    allowPrivate: z
      .boolean()
      .default(false)
      .describe(
        'Lets this very host be a loopback or private address; link-local and metadata addresses stay refused.',
      ),
    description,
  })
  .describe('One page, fetched anew for each research.')

const count = (byDefault: number, from: number, to: number) => z.int().min(from).max(to).default(byDefault)

const limits = z.strictObject({
  maxFileBytes: count(524_288, 1_024, 8_388_608).describe('A larger file or page is reported and left out.'),
  maxTotalBytes: count(8_388_608, 1_024, 67_108_864).describe('Over all sources of one research, shared evenly.'),
  maxFilesPerSource: count(2_000, 1, 50_000),
  maxConcurrentReads: count(8, 1, 64),
  maxConcurrentResearches: count(2, 1, 16).describe('Further ones wait for their turn.'),
  fetchTimeoutMs: count(15_000, 100, 120_000).describe('For one page, redirects included.'),
  maxRedirects: count(3, 0, 10),
  maxReports: count(500, 1, 100_000).describe('The oldest reports beyond this number are removed.'),
})

const summary = z
  .strictObject({
    endpoint: z.string().min(1).describe('Base URL of an OpenAI-compatible API, e.g. http://127.0.0.1:11434/v1.'),
    model: z.string().min(1).max(200),
    apiKeyEnv: z
      .string()
      .regex(/^[A-Z][A-Z0-9_]*$/, 'must be the name of an environment variable, such as OPENAI_API_KEY')
      .optional()
      .describe('Name of the environment variable that holds the API key.'),
    timeoutMs: count(60_000, 100, 600_000),
    maxOutputTokens: count(600, 16, 8_192),
  })
  .describe('A language model that writes the summary of each report.')

/** The form of SyncInsight's configuration file; the published JSON Schema is generated from it. */
export const configurationSchema = z.strictObject({
  $schema: z.string().optional(),
  sources: z
    .record(
      z.string().regex(SOURCE_NAME, 'must be 1 to 64 letters, digits, _ or -, beginning with a letter or digit'),
      z.discriminatedUnion('kind', [folderSource, fileSource, urlSource]),
    )
    .refine((sources) => Object.keys(sources).length > 0, 'must name at least one source')
    .refine((sources) => Object.keys(sources).length <= 64, 'must name at most 64 sources'),
  limits: limits.prefault({}),
  summary: summary.optional(),
})

/** SyncInsight's configuration as it stands in the file, defaults filled in. */
export type ConfigurationFile = z.infer<typeof configurationSchema>
/** Bounds of one research and of the store of reports. */
export type Limits = ConfigurationFile['limits']
/** Where and how a language model is asked for the summary. */
export type SummarySettings = z.infer<typeof summary>
