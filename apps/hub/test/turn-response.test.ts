import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, test } from '@jest/globals'
import { sendJson } from '../src/http/respond.js'
import { TurnResponse } from '../src/http/turn-response.js'
import { atEnd, closeAll } from './cleanup.js'
import { connectRaw } from './raw-connection.js'
import { until } from './until.js'

afterEach(closeAll)

/** Sends so many requests in one write, which one turn of the server reads. */
async function sendAtOnce(count: number, serve: (res: TurnResponse, number: number) => unknown) {
  let number = 0
  const server = createServer({ ServerResponse: TurnResponse }, (_req, res) => serve(res, number++))
  atEnd(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const connection = await connectRaw(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  connection.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(count))
  return connection
}

describe('an answer that is known in the turn of its request', () => {
  test('goes out at the end of that turn, with all others and in their order', async () => {
    const sent: TurnResponse[] = []
    const endedWithin: boolean[] = []
    const { text } = await sendAtOnce(3, (res, number) => {
      sendJson(res, 200, { number })
      sent.push(res)
      endedWithin.push(...sent.map(({ writableEnded }) => writableEnded))
    })
    await until(() => text().includes('{"number":2}'))
    expect(endedWithin).toEqual(Array(6).fill(false))
    expect(text().match(/"number":\d/g)).toEqual(['"number":0', '"number":1', '"number":2'])
  })

  test('waits for no more than 63 others', async () => {
    const sent: TurnResponse[] = []
    let endedWithin: boolean[] = []
    const { text } = await sendAtOnce(65, (res, number) => {
      sendJson(res, 200, { number })
      sent.push(res)
      if (number === 64) endedWithin = sent.map(({ writableEnded }) => writableEnded)
    })
    await until(() => text().includes('{"number":64}'))
    expect(endedWithin).toEqual([...Array(64).fill(true), false])
  })

  test('goes out at once where that turn is over', async () => {
    let endedAtOnce: boolean | undefined
    const { text } = await sendAtOnce(1, async (res, number) => {
      await nextTurn()
      sendJson(res, 200, { number })
      endedAtOnce = res.writableEnded
    })
    await until(() => text().includes('{"number":0}'))
    expect(endedAtOnce).toBe(true)
  })
})
