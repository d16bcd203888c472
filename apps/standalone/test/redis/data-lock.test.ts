import { readdir, readFile, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { type DataLock, lockDataFolder } from '../../src/redis/data-lock.js'
import { readProcessIdentity } from '../../src/redis/process-identity.js'
import { makeScratchDir } from './scratch.js'

let scratch: Awaited<ReturnType<typeof makeScratchDir>>

beforeEach(async () => {
  scratch = await makeScratchDir()
})

afterEach(async () => {
  await scratch.remove()
})

async function leaveOwner(number: number, owner: object): Promise<void> {
  const record = { host: hostname(), pid: process.pid, identity: 'of a process long gone', released: false, ...owner }
  await writeFile(join(scratch.path, `owner-${number}`), JSON.stringify(record))
}

describe('the lock of a data folder', () => {
  test('is taken by exactly one of many at once, whatever was there before', async () => {
    for (const previous of [0, 1, 7]) {
      if (previous > 0) await leaveOwner(previous, {})
      const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => lockDataFolder(scratch.path)))
      const taken = outcomes.filter(
        (outcome): outcome is PromiseFulfilledResult<DataLock> => outcome.status === 'fulfilled',
      )
      expect(taken).toHaveLength(1)
      await taken[0]?.value.release()
    }
  })

  test('can be taken again once it was released, with one file left over', async () => {
    for (let round = 0; round < 3; round += 1) await (await lockDataFolder(scratch.path)).release()
    expect(await readdir(scratch.path)).toEqual(['owner-3'])
  })

  test('is refused while its owner runs', async () => {
    await leaveOwner(1, { identity: await readProcessIdentity(process.pid) })
    await expect(lockDataFolder(scratch.path)).rejects.toThrow(`another SyncHub (process ${process.pid})`)
  })

  test('is free when another process has the number of its owner now', async () => {
    await leaveOwner(1, { pid: process.pid })
    await lockDataFolder(scratch.path)
    expect(await readdir(scratch.path)).toEqual(['owner-2'])
  })

  test('is refused when the owner is on another machine, which cannot be seen', async () => {
    await leaveOwner(1, { host: 'elsewhere' })
    await expect(lockDataFolder(scratch.path)).rejects.toMatchObject({
      message: expect.stringContaining('belongs to a SyncHub on elsewhere'),
      remedy: expect.stringContaining(`rm '${join(scratch.path, 'owner-1')}'`),
    })
  })

  test('is refused when its file is damaged', async () => {
    await writeFile(join(scratch.path, 'owner-4'), '{')
    await expect(lockDataFolder(scratch.path)).rejects.toMatchObject({ message: expect.stringContaining('owner-4') })
  })

  test('says that a folder cannot hold its file', async () => {
    const folder = process.platform === 'linux' ? '/sys' : '/System'
    await expect(lockDataFolder(folder)).rejects.toMatchObject({
      name: 'StartError',
      message: expect.stringContaining(`the data folder ${folder} cannot be marked as in use`),
    })
  })

  test('leaves no drafts behind', async () => {
    await lockDataFolder(scratch.path)
    await expect(lockDataFolder(scratch.path)).rejects.toMatchObject({ name: 'StartError' })
    expect(await readdir(scratch.path)).toEqual(['owner-1'])
    expect(JSON.parse(await readFile(join(scratch.path, 'owner-1'), 'utf8'))).toMatchObject({ released: false })
  })
})
