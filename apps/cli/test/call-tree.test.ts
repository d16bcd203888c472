import { describe, expect, test } from '@jest/globals'
import { CallTree } from '../src/render/call-tree.js'
import type { CallUpdate } from '../src/render/call-update.js'

const call = (callId: string, more: Partial<CallUpdate> = {}): CallUpdate => ({
  callId,
  tool: 'tool',
  state: 'running',
  ...more,
})

const drawn = (rows: ReturnType<CallTree['placed']>) =>
  rows.map(({ row, branch }) => `${branch}${row.callId} ${row.state}`)

function treeOf(...updates: readonly CallUpdate[]): CallTree {
  const tree = new CallTree()
  for (const update of updates) expect(tree.take(update, 0)).toEqual([])
  return tree
}

describe('the calls of a trace on a terminal', () => {
  test('stand each below the call that it was made for, however they arrive', () => {
    const tree = treeOf(
      call('leaf', { parentCallId: 'child' }),
      call('root'),
      call('child', { parentCallId: 'root' }),
      call('other'),
      call('last', { parentCallId: 'root' }),
    )
    expect(drawn(tree.placed())).toEqual([
      'root running',
      '├─ child running',
      '│  └─ leaf running',
      '└─ last running',
      'other running',
    ])
  })

  test('leave together once all of their tree have ended, with the time that each took', () => {
    const tree = treeOf(call('root'), call('child', { parentCallId: 'root' }), call('other'))
    expect(tree.take(call('child', { state: 'failed', message: 'broken' }), 3)).toEqual([])
    expect(drawn(tree.placed())).toEqual(['root running', '└─ child failed', 'other running'])
    const left = tree.take(call('root', { state: 'completed' }), 9)
    expect(drawn(left)).toEqual(['root completed', '└─ child failed'])
    expect(left.map(({ row }) => row.untilMs)).toEqual([9, 3])
    expect(drawn(tree.placed())).toEqual(['other running'])
  })

  test('wait for a call that outlives the one that it was made for', () => {
    const tree = treeOf(call('root'), call('child', { parentCallId: 'root' }))
    expect(tree.take(call('root', { state: 'unknown' }), 1)).toEqual([])
    expect(drawn(tree.take(call('child', { state: 'completed' }), 2))).toEqual(['root unknown', '└─ child completed'])
  })

  test('are bounded: one that has ended makes room first, and is not lost', () => {
    const tree = treeOf(
      call('root'),
      ...Array.from({ length: 199 }, (_, at) => call(`c${at}`, { parentCallId: 'root' })),
    )
    tree.take(call('c7', { state: 'completed' }), 1)
    expect(drawn(tree.take(call('more', { parentCallId: 'root' }), 2))).toEqual(['c7 completed'])
    expect(tree.take(call('again', { parentCallId: 'root' }), 2)).toEqual([])
    expect(tree.placed()).toHaveLength(200)
  })
})
