import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import type { Tool } from '@synchub/protocol'
import { createToolJudge, toolRevision } from '../../src/index.js'

const list = (count: number) => ({
  offers: Array.from({ length: count }, (_, at): Tool => {
    return { name: `tool-${at}`, inputSchema: { type: 'object', required: [`name-${at}`] } }
  }),
  refused: [],
})

const names = ({ tools }: { readonly tools: readonly { readonly tool: Tool }[] }) => tools.map(({ tool }) => tool.name)

describe('the judge of tools', () => {
  test('stopped everything else in its process while it compiled a long list', async () => {
    let turns = 0
    const judged = await createToolJudge()(list(20), async () => {
      await nextTurn()
      return ++turns > 0
    })
    expect(judged.tools).toHaveLength(20)
    expect(turns).toBe(19)
  })

  test('refuses for now what there is no time for, and goes on there when the list comes again', async () => {
    const judge = createToolJudge()
    const once = () => {
      let left = 1
      return async () => left-- > 0
    }
    const first = await judge(list(5), once())
    expect(names(first)).toEqual(['tool-0', 'tool-1'])
    expect(first.refused[2]).toEqual({
      kind: 'tool',
      name: 'tool-4',
      reason: expect.stringMatching(/^it is not checked yet/),
      pending: true,
    })
    expect(names(await judge(list(5), once()))).toHaveLength(4)
    const last = await judge(list(5), once())
    expect([names(last).length, last.refused]).toEqual([5, []])
  })

  test('refused tools that another had accepted, when it took its place and had no time for them', async () => {
    const before = await createToolJudge()(list(5), async () => true)
    const judge = createToolJudge()
    const busy = async () => false
    const taken = await judge(list(6), busy, before.tools)
    expect(names(taken)).toEqual(['tool-0', 'tool-1', 'tool-2', 'tool-3', 'tool-4'])
    expect(taken.refused).toMatchObject([{ name: 'tool-5', pending: true }])
  })

  test('takes nobody at their word for long: what was accepted is looked at too', async () => {
    const broken: Tool = { name: 'broken', inputSchema: { type: 'object', properties: 7 } }
    const bad = { offers: [broken], refused: [] }
    const [refused] = (
      await createToolJudge()(bad, async () => true, [{ tool: broken, revision: toolRevision(broken) }])
    ).refused
    expect(refused).toMatchObject({ kind: 'tool', name: 'broken', reason: expect.stringMatching(/^inputSchema: /) })
    expect(refused).not.toHaveProperty('pending')
  })

  test('compiles nothing of a list that it knows', async () => {
    const judge = createToolJudge()
    await judge(list(2), async () => true)
    const never = () => Promise.reject(new Error('there is nothing to compile'))
    expect(names(await judge(list(2), never))).toHaveLength(2)
  })
})
