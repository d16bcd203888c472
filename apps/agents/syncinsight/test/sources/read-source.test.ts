import { execFile } from 'node:child_process'
import { chmod, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { FolderDefinition } from '../../src/configuration/source-definition.js'
import { textOfPassage } from '../../src/documents/passage.js'
import { readSource } from '../../src/sources/read-source.js'
import { type SourceReading, stateOfReading } from '../../src/sources/reading.js'
import { readingContext } from '../reading-context.js'
import { makeFiles, makeFolder, removeFolders } from '../temporary-folder.js'
import { closeServers, page, serve } from '../web-server.js'

const folder = (path: string, changes: Partial<FolderDefinition> = {}): FolderDefinition => ({
  kind: 'folder',
  name: 'docs',
  path,
  include: ['**/*.md'],
  exclude: [],
  ...changes,
})

const file = (path: string) => ({ kind: 'file', name: 'readme', path }) as const
const url = (address: string, allowPrivate = true) =>
  ({ kind: 'url', name: 'news', url: new URL(address), allowPrivate }) as const

const textsOf = ({ passages }: SourceReading): string[] => passages.map(textOfPassage)
const reasonsOf = ({ unread }: SourceReading) => unread.listed.map(({ path, cause }) => [path, cause])

afterEach(async () => {
  await removeFolders()
  await closeServers()
})

describe('readSource of a folder', () => {
  test('reads what the patterns select, in the order of paths', async () => {
    const path = await makeFiles({ 'b.md': 'B', 'a/c.md': 'C', 'a.txt': 'no', 'drafts/d.md': 'no' })
    const reading = await readSource(folder(path, { exclude: ['drafts/**'] }), readingContext())
    expect(textsOf(reading)).toEqual(['C', 'B'])
    expect(reading).toMatchObject({ documentCount: 2 })
    expect(reading.passages[0]?.origin).toEqual({ source: 'docs', path: 'a/c.md', identity: join(path, 'a/c.md') })
    expect(stateOfReading(reading)).toBe('read')
  })

  test('enters neither dot folders nor node_modules', async () => {
    const path = await makeFiles({ '.git/a.md': 'no', 'node_modules/x/a.md': 'no', '.env.md': 'no', 'a.md': 'A' })
    expect(textsOf(await readSource(folder(path), readingContext()))).toEqual(['A'])
  })

  test('follows no link, names each, and reads nothing behind one', async () => {
    const outside = await makeFiles({ 'secret.md': 'secret' })
    const path = await makeFiles({ 'a.md': 'A' })
    await symlink(outside, join(path, 'folder'))
    await symlink(join(outside, 'secret.md'), join(path, 'secret.md'))
    await symlink('..', join(path, 'up'))
    const reading = await readSource(folder(path), readingContext())
    expect(textsOf(reading)).toEqual(['A'])
    expect(reasonsOf(reading)).toEqual([
      ['folder', 'link'],
      ['secret.md', 'refused'],
      ['up', 'link'],
    ])
    expect(stateOfReading(reading)).toBe('read_in_part')
  })

  test('passes over binary files and pipes, and says so', async () => {
    const path = await makeFiles({ 'a.md': 'A', 'b.md': Buffer.from([0, 1, 2]) })
    await promisify(execFile)('mkfifo', [join(path, 'pipe.md')])
    const reading = await readSource(folder(path), readingContext())
    expect(textsOf(reading)).toEqual(['A'])
    expect(reasonsOf(reading)).toEqual([
      ['pipe.md', 'special'],
      ['b.md', 'not_text'],
    ])
  })

  test('leaves out what is too large or beyond the budget, the same each time, and admits the gap', async () => {
    const path = await makeFiles({
      'a.md': 'a'.repeat(60),
      'b.md': 'b'.repeat(60),
      'c.md': 'c'.repeat(30),
      'd.md': 'd'.repeat(101),
    })
    const context = { ...readingContext({ maxFileBytes: 100 }), budgetBytes: 100 }
    const reading = await readSource(folder(path), context)
    expect(textsOf(reading)).toEqual(['a'.repeat(60), 'c'.repeat(30)])
    expect(reasonsOf(reading)).toEqual([
      ['b.md', 'limit'],
      ['d.md', 'limit'],
    ])
    expect(stateOfReading(reading)).toBe('read_in_part')
  })

  test('has nothing to read where the only file is a link', async () => {
    const path = await makeFolder()
    await symlink('/etc/passwd', join(path, 'passwd.md'))
    expect(stateOfReading(await readSource(folder(path), readingContext()))).toBe('unreadable')
  })

  test('stops at the bound on passages, in the order of paths', async () => {
    const path = await makeFiles({ 'a.md': '# 1\n\na\n\n# 2\n\nb\n', 'b.md': 'c' })
    const reading = await readSource(folder(path), { ...readingContext(), maxPassages: 2 })
    expect(textsOf(reading)).toEqual(['a', 'b'])
    expect(reading.unread.listed).toMatchObject([{ path: 'b.md', cause: 'limit' }])
  })

  test('stops listing at the bound on files', async () => {
    const path = await makeFiles({ 'a.md': 'A', 'b.md': 'B', 'c.md': 'C' })
    const reading = await readSource(folder(path), readingContext({ maxFilesPerSource: 2 }))
    expect(textsOf(reading)).toEqual(['A', 'B'])
    expect(reading.unread.listed).toMatchObject([
      { cause: 'limit', reason: expect.stringContaining('more than 2 files') },
    ])
  })

  test('lists only the first of very many things that were not read, and counts the rest', async () => {
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`${index}.md`, Buffer.from([0])]))
    const { unread } = await readSource(folder(await makeFiles(files)), readingContext())
    expect(unread.listed).toHaveLength(50)
    expect(unread.count).toBe(60)
  })

  test('tells a missing folder from an empty one', async () => {
    const path = await makeFolder()
    const empty = await readSource(folder(path), readingContext())
    expect(stateOfReading(empty)).toBe('read')
    const missing = await readSource(folder(join(path, 'none')), readingContext())
    expect(stateOfReading(missing)).toBe('unreadable')
    expect(missing.unread.listed).toEqual([{ source: 'docs', cause: 'failed', reason: 'does not exist' }])
    const noFolder = await readSource(folder(join(await makeFiles({ a: '' }), 'a')), readingContext())
    expect(stateOfReading(noFolder)).toBe('unreadable')
  })

  test('goes on when a folder below may not be listed', async () => {
    const path = await makeFiles({ 'a.md': 'A', 'shut/b.md': 'B' })
    await chmod(join(path, 'shut'), 0)
    const reading = await readSource(folder(path), readingContext())
    await chmod(join(path, 'shut'), 0o700)
    // The superuser may list it all the same.
    expect(textsOf(reading)).toEqual(process.getuid?.() === 0 ? ['A', 'B'] : ['A'])
  })

  test('stops when it is cancelled', async () => {
    const path = await makeFiles({ 'a.md': 'A' })
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(readSource(folder(path), readingContext({}, signal))).rejects.toThrow('enough')
  })
})

describe('readSource of a file', () => {
  test('reads it', async () => {
    const path = await makeFiles({ 'README.md': '# A\n\ntext' })
    const reading = await readSource(file(join(path, 'README.md')), readingContext())
    expect(reading.passages).toMatchObject([{ origin: { source: 'readme', path: 'README.md' }, headings: ['A'] }])
  })

  test.each([
    ['a link', async (path: string) => symlink('/etc/passwd', path), 'symbolic link'],
    ['a pipe', async (path: string) => promisify(execFile)('mkfifo', [path]), 'not a regular file'],
    ['missing', async () => undefined, 'does not exist'],
  ])('has nothing to read when the file is %s', async (_name, make, reason) => {
    const path = join(await makeFolder(), 'a.md')
    await make(path)
    const reading = await readSource(file(path), readingContext())
    expect(stateOfReading(reading)).toBe('unreadable')
    expect(reading.passages).toEqual([])
    expect(reading.unread.listed[0]?.reason).toContain(reason)
  })

  test('has nothing to read when its folder is missing or it is a device', async () => {
    for (const path of [join(await makeFolder(), 'none', 'a.md'), '/dev/zero']) {
      expect(stateOfReading(await readSource(file(path), readingContext()))).toBe('unreadable')
    }
  })
})

describe('readSource of a URL', () => {
  test('reads a page in the encoding that it names', async () => {
    const korean = Buffer.concat([Buffer.from('<h1>A</h1><p>'), Buffer.from([0xb0, 0xa1]), Buffer.from('</p>')])
    const server = await serve(page(korean, 'text/html; charset=euc-kr'))
    const reading = await readSource(url(`${server.origin}/a`), readingContext())
    expect(textsOf(reading)).toEqual(['가'])
    expect(reading.passages[0]?.origin.path).toBe(`${server.origin}/a`)
  })

  test('is unreadable when it leads to a private address, and sends nothing', async () => {
    const server = await serve(page('secret'))
    const reading = await readSource(url(`http://localhost:${server.port}/`, false), readingContext())
    expect(stateOfReading(reading)).toBe('unreadable')
    expect(reading.unread.listed).toMatchObject([{ source: 'news', cause: 'refused' }])
    expect(server.connectionCount()).toBe(0)
  })

  test('is unreadable when the page is no text', async () => {
    const server = await serve(page(Buffer.from([0, 1]), 'text/plain'))
    expect(stateOfReading(await readSource(url(server.origin), readingContext()))).toBe('unreadable')
  })
})
