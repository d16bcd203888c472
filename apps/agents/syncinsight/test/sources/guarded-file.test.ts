import { execFile } from 'node:child_process'
import { link, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from '@jest/globals'
import { isBelow, readGuardedFile } from '../../src/sources/guarded-file.js'
import { makeFiles, makeFolder, removeFolders } from '../temporary-folder.js'

afterEach(removeFolders)

describe('readGuardedFile', () => {
  test('reads a file below its root', async () => {
    const root = await makeFiles({ 'a/b.md': '안녕' })
    const read = await readGuardedFile(root, 'a/b.md', 100)
    expect(read).toMatchObject({ outcome: 'read', realPath: join(root, 'a/b.md') })
    expect(read.outcome === 'read' && read.bytes.toString()).toBe('안녕')
  })

  test('does not follow a link, neither out of the root nor within it', async () => {
    const outside = await makeFiles({ 'secret.md': 'secret' })
    const root = await makeFiles({ 'a.md': 'a' })
    await symlink(join(outside, 'secret.md'), join(root, 'out.md'))
    await symlink(join(root, 'a.md'), join(root, 'in.md'))
    for (const path of ['out.md', 'in.md']) {
      expect(await readGuardedFile(root, path, 100)).toMatchObject({ outcome: 'not_read', cause: 'link' })
    }
  })

  test('does not read through a folder that is a link out of the root', async () => {
    const outside = await makeFiles({ 'secret.md': 'secret' })
    const root = await makeFolder()
    await symlink(outside, join(root, 'folder'))
    expect(await readGuardedFile(root, 'folder/secret.md', 100)).toMatchObject({
      outcome: 'not_read',
      cause: 'refused',
    })
  })

  test('does not read what a path with dots leads to', async () => {
    const outer = await makeFiles({ 'secret.md': 'secret', 'root/a.md': 'a' })
    const read = await readGuardedFile(join(outer, 'root'), '../secret.md', 100)
    expect(read).toMatchObject({ outcome: 'not_read', cause: 'refused' })
  })

  test('never gives the content of another file while a folder is exchanged for a link again and again', async () => {
    const outside = await makeFiles({ 'a.md': 'secret' })
    const root = await makeFiles({ 'folder/a.md': 'allowed' })
    const [folder, aside, trap] = [join(root, 'folder'), join(root, 'aside'), join(root, 'trap')]
    let isOver = false
    const attack = (async () => {
      while (!isOver) {
        await symlink(outside, trap)
        await rename(folder, aside)
        await rename(trap, folder)
        await rm(folder)
        await rename(aside, folder)
        await nextTurn()
      }
    })()
    const outcomes = new Set<string>()
    for (let round = 0; round < 1_500; round += 1) {
      const read = await readGuardedFile(root, 'folder/a.md', 100)
      outcomes.add(read.outcome === 'read' ? read.bytes.toString() : 'not_read')
    }
    isOver = true
    await attack
    expect(outcomes).not.toContain('secret')
    expect(outcomes).toContain('allowed')
  })

  test('does not wait for a pipe that nobody writes to', async () => {
    const root = await makeFolder()
    await promisify(execFile)('mkfifo', [join(root, 'pipe.md')])
    expect(await readGuardedFile(root, 'pipe.md', 100)).toMatchObject({ outcome: 'not_read', cause: 'special' })
  })

  test('reads no device and no folder', async () => {
    expect(await readGuardedFile('/dev', 'zero', 100)).toMatchObject({ outcome: 'not_read', cause: 'special' })
    const root = await makeFolder()
    await mkdir(join(root, 'folder.md'))
    expect(await readGuardedFile(root, 'folder.md', 100)).toMatchObject({ outcome: 'not_read', cause: 'special' })
  })

  test('takes a file of exactly the bound and none larger, even where the size says nothing', async () => {
    const root = await makeFiles({ 'a.md': 'x'.repeat(100), 'b.md': 'x'.repeat(101) })
    expect(await readGuardedFile(root, 'a.md', 100)).toMatchObject({ outcome: 'read' })
    expect(await readGuardedFile(root, 'b.md', 100)).toMatchObject({ outcome: 'not_read', cause: 'limit' })
    expect(await readGuardedFile('/proc/self', 'status', 100)).not.toMatchObject({ outcome: 'read' })
  })

  test('says what is missing without saying where', async () => {
    const root = await makeFolder()
    expect(await readGuardedFile(root, 'none.md', 100)).toEqual({
      outcome: 'not_read',
      cause: 'failed',
      reason: 'does not exist',
    })
  })

  test('reads a second name of a file below the root, which is no link', async () => {
    const root = await makeFolder()
    await writeFile(join(root, 'a.md'), 'a')
    await link(join(root, 'a.md'), join(root, 'b.md'))
    expect(await readGuardedFile(root, 'b.md', 100)).toMatchObject({ outcome: 'read' })
  })
})

describe('isBelow', () => {
  test('is not misled by a folder whose name begins alike', () => {
    expect(isBelow('/srv/docs', '/srv/docs/a.md')).toBe(true)
    expect(isBelow('/srv/docs', '/srv/docs-private/a.md')).toBe(false)
    expect(isBelow('/srv/docs', '/srv/docs')).toBe(false)
    expect(isBelow('/', '/etc/hosts')).toBe(true)
  })
})
