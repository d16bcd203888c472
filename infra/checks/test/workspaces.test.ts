import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'
import { IMPORT_DIRECTIONS } from '../house-rules/import-direction.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const workspaces = Object.keys(IMPORT_DIRECTIONS)

interface Manifest {
  readonly name: string
  readonly private: boolean
  readonly engines: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
}

interface Project {
  readonly references?: readonly { readonly path: string }[]
}

function readManifest(workspace: string): Manifest {
  return JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8')) as Manifest
}

function readReferences(folder: string): string[] {
  const project = JSON.parse(readFileSync(join(root, folder, 'tsconfig.json'), 'utf8')) as Project
  return (project.references ?? []).map(({ path }) => join(folder, path)).toSorted()
}

function folderOf(packageName: string): string {
  const name = packageName.replace('@synchub/', '')
  const folder = ['packages', 'apps', 'apps/agents'].map((parent) => `${parent}/${name}`)
  return folder.find((path) => existsSync(join(root, path, 'package.json'))) ?? packageName
}

describe('the workspaces', () => {
  test('are all compiled by the build of the root', () => {
    expect(readReferences('.')).toEqual(workspaces.toSorted())
  })

  test.each(workspaces)('%s compiles after exactly what it depends on', (workspace) => {
    const ours = Object.keys(readManifest(workspace).dependencies ?? {}).filter((name) => name.startsWith('@synchub/'))
    expect(readReferences(workspace)).toEqual(ours.map(folderOf).toSorted())
  })

  test.each(workspaces)('%s is private and says which Node it needs', (workspace) => {
    const { name, private: isPrivate, engines } = readManifest(workspace)
    expect(folderOf(name)).toBe(workspace)
    expect(isPrivate).toBe(true)
    expect(engines.node).toBe('>=20.19')
  })
})
