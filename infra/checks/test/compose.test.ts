import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { Ajv } from 'ajv'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('../../..', import.meta.url))

interface Service {
  readonly image: string
  readonly command: readonly string[]
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly environment?: Readonly<Record<string, string | number>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly configs?: readonly { readonly source: string; readonly target: string }[]
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly networks: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>>
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, unknown>>
  readonly networks: Readonly<Record<string, unknown>>
  readonly configs: Readonly<Record<string, { readonly file: string }>>
}

/** Our own programs among the services, each with the folder of its workspace. */
interface Program {
  readonly name: string
  readonly service: Service
  readonly workspace: string
}

let compose: ComposeFile
let services: [string, Service][]
let programs: Program[]

beforeAll(() => {
  compose = readCompose()
  services = Object.entries(compose.services)
  programs = services.flatMap(([name, service]) => {
    const [node, program = ''] = service.command
    return node === 'node' ? [{ name, service, workspace: program.replace(/\/dist\/main\.js$/, '') }] : []
  })
})

function readCompose(): ComposeFile {
  return parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as ComposeFile
}

/** The value that Compose takes when a variable is not set: `${NAME:-value}`. */
function withDefaults(text: string): string {
  return text.replace(/\$\{\w+:-([^}]*)\}/g, '$1')
}

function readSources(workspace: string): string {
  return readFileSync(join(root, workspace, 'src', 'env.ts'), 'utf8')
}

/** What a program has beside its sources to name variables in; empty where it has none. */
function readOwnConfiguration(workspace: string): string {
  const files = readdirSync(join(root, workspace)).filter((name) => name.endsWith('.config.json'))
  return files.map((name) => readFileSync(join(root, workspace, name), 'utf8')).join('\n')
}

describe('docker-compose.yml', () => {
  test('is valid by the schema of the Compose Specification', () => {
    const path = new URL('../compose/compose-spec.schema.json', import.meta.url)
    // Its own $schema names draft-07 by https, which no validator has under that name.
    const { $schema: draft, ...schema } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
    const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema)
    validate(compose)
    expect(draft).toContain('draft-07')
    expect(validate.errors ?? []).toEqual([])
  })

  test('runs Redis, hub, dispatcher and every agent that there is', () => {
    const agents = readdirSync(join(root, 'apps', 'agents'))
    expect(Object.keys(compose.services).toSorted()).toEqual(['redis', 'hub', 'dispatcher', ...agents].toSorted())
  })

  test('starts only programs that the build makes', () => {
    expect(programs).toHaveLength(services.length - 1)
    for (const { workspace } of programs) expect(existsSync(join(root, workspace, 'src', 'main.ts'))).toBe(true)
  })

  test('names only files that exist', () => {
    const files = [
      ...services.flatMap(([, { build }]) => (build === undefined ? [] : [build.context, build.dockerfile])),
      ...services.flatMap(([, { volumes = [] }]) => volumes.filter((volume) => volume.startsWith('.')).map(hostPath)),
      ...Object.values(compose.configs).map(({ file }) => withDefaults(file)),
      ...programs.flatMap(({ service }) => service.healthcheck?.test.filter((word) => word.endsWith('.mjs')) ?? []),
    ]
    expect(files.length).toBeGreaterThan(5)
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  test('names only volumes, networks, configs and services that it declares', () => {
    const named = services.flatMap(([, { volumes = [] }]) =>
      volumes.filter((volume) => !volume.startsWith('.')).map(hostPath),
    )
    expect(new Set(named)).toEqual(new Set(Object.keys(compose.volumes)))
    expect(new Set(services.flatMap(([, { networks }]) => networks))).toEqual(new Set(Object.keys(compose.networks)))
    const sources = services.flatMap(([, { configs = [] }]) => configs.map(({ source }) => source))
    expect(new Set(sources)).toEqual(new Set(Object.keys(compose.configs)))
    const needed = services.flatMap(([, { depends_on: dependsOn = {} }]) => Object.keys(dependsOn))
    expect(needed.filter((name) => !(name in compose.services))).toEqual([])
  })

  test('sets only variables that the program reads or its configuration names', () => {
    const configuration = readFileSync(join(root, 'infra', 'compose.config.json'), 'utf8')
    const unread = programs.flatMap(({ name, service, workspace }) =>
      Object.keys(service.environment ?? {})
        .filter((variable) => !readSources(workspace).includes(variable))
        .filter((variable) => !readOwnConfiguration(workspace).includes(`"env": "${variable}"`))
        .filter((variable) => service.configs === undefined || !configuration.includes(`"env": "${variable}"`))
        .map((variable) => `${name}: ${variable}`),
    )
    expect(unread).toEqual([])
  })

  test('gives the configuration every variable that it names', () => {
    const configuration = readFileSync(join(root, 'infra', 'compose.config.json'), 'utf8')
    const named = [...configuration.matchAll(/"env": "(\w+)"/g)].map(([, variable = '']) => variable)
    for (const { service } of programs.filter(({ service: { configs } }) => configs !== undefined)) {
      expect(Object.keys(service.environment ?? {})).toEqual(expect.arrayContaining(named))
    }
  })

  test('publishes the hub on loopback and nothing else', () => {
    const published = services.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`))
    expect(published).toEqual(['hub 127.0.0.1:4000:4000'])
  })

  test('keeps the agents away from the store', () => {
    const onStore = services.filter(([, { networks }]) => networks.includes('store')).map(([name]) => name)
    expect(onStore).toEqual(['redis', 'hub', 'dispatcher'])
  })

  test('asks every service that listens for its health', () => {
    const unasked = services.filter(([, { healthcheck }]) => healthcheck === undefined).map(([name]) => name)
    expect(unasked).toEqual(['dispatcher'])
  })

  test('holds no secret', () => {
    const secrets = programs.map(({ service }) => service.environment?.SYNCHUB_AGENT_SECRET)
    expect(secrets.every((value) => String(value).startsWith('${SYNCHUB_AGENT_SECRET:?'))).toBe(true)
  })
})

function hostPath(volume: string): string {
  return volume.split(':')[0] ?? ''
}
