import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from '@jest/globals'
import type { Tool } from '@synchub/protocol'
import { createToolJudge } from '../../src/index.js'

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
    })
    expect(names(await judge(list(5), once()))).toHaveLength(4)
    const last = await judge(list(5), once())
    expect([names(last).length, last.refused]).toEqual([5, []])
  })

  test('compiles nothing of a list that it knows', async () => {
    const judge = createToolJudge()
    await judge(list(2), async () => true)
    const never = () => Promise.reject(new Error('there is nothing to compile'))
    expect(names(await judge(list(2), never))).toHaveLength(2)
  })
})
