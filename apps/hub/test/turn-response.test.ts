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

/** Answers so many at once; says, as the last of them is answered, which of them have been ended by then. */
async function answerAtOnce(count: number) {
  const sent: TurnResponse[] = []
  let endedBy: boolean[] = []
  const { text } = await sendAtOnce(count, (res, number) => {
    sendJson(res, 200, { number })
    sent.push(res)
    endedBy = sent.map(({ writableEnded }) => writableEnded)
  })
  await until(() => text().includes(`{"number":${count - 1}}`))
  return { endedBy, numbers: Array.from(text().matchAll(/"number":(\d+)/g), ([, number]) => Number(number)) }
}

describe('an answer that is known in the turn of its request', () => {
  test('goes out at the end of that turn, with all others and in their order', async () => {
    expect(await answerAtOnce(3)).toEqual({ endedBy: [false, false, false], numbers: [0, 1, 2] })
  })

  test('waits for no more than 63 others', async () => {
    const { endedBy } = await answerAtOnce(65)
    expect(endedBy).toEqual([...Array(64).fill(true), false])
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
