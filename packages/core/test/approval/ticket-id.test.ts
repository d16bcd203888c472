import { describe, expect, test } from '@jest/globals'
import { createTicketId } from '../../src/approval/ticket-id.js'

describe('createTicketId', () => {
  test('makes ids of 128 random bits behind the prefix of the contract', () => {
    const ids = Array.from({ length: 1000 }, createTicketId)
    for (const id of ids) expect(id).toMatch(/^ticket-hitl-[A-Za-z0-9_-]{22}$/)
    expect(new Set(ids).size).toBe(1000)
  })
})
