import { expect, test } from '@jest/globals'
import { acceptOffers } from '../../src/index.js'
import { promptOf, resourceOf, templateOf } from './offers.js'

test('offers come in order; those under a scheme of the hub and what is no template are refused, each with its reason', () => {
  const before = { kind: 'prompt' as const, reason: 'prompts/list cannot be read: it hangs' }
  const reserved = 'its URI has a scheme of the hub itself: agent: or trace:'
  expect(
    acceptOffers({
      resources: [
        resourceOf('z://1'),
        resourceOf('TRACE://t-1'),
        resourceOf('a://1'),
        resourceOf('agent://Boot/a://1'),
      ],
      resourceTemplates: [templateOf('trace://{traceId}'), templateOf('b://{id}'), templateOf('c://{id')],
      prompts: [promptOf('b'), promptOf('a')],
      refused: [before],
    }),
  ).toEqual({
    resources: [resourceOf('a://1'), resourceOf('z://1')],
    resourceTemplates: [templateOf('b://{id}')],
    prompts: [promptOf('a'), promptOf('b')],
    refused: [
      before,
      { kind: 'resource', name: 'TRACE://t-1', reason: reserved },
      { kind: 'resource', name: 'agent://Boot/a://1', reason: reserved },
      { kind: 'resourceTemplate', name: 'trace://{traceId}', reason: reserved },
      { kind: 'resourceTemplate', name: 'c://{id', reason: expect.stringMatching(/RFC 6570/) },
    ],
  })
})
