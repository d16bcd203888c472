import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, describe, expect, test } from '@jest/globals'
import { countAnswers } from '../src/http/open-answers.js'
import { atEnd, closeAll } from './cleanup.js'
import { connectRaw } from './raw-connection.js'
import { until } from './until.js'

afterEach(closeAll)

describe('answers that wait behind another of their connection', () => {
  test.each<[string, (socket: Socket) => unknown, (first: ServerResponse, others: ServerResponse[]) => unknown]>([
    ['is closed', (socket) => socket.destroy(), () => undefined],
    ['is reset', (socket) => socket.resetAndDestroy(), () => undefined],
    ['is ended by its client', (socket) => socket.end(), () => undefined],
    [
      'is ended while the first of them is sent',
      (socket) => socket.end(),
      (first) => first.socket?.prependListener('end', () => first.end('sent')),
    ],
    [
      'is lost before they are known',
      (socket) => socket.destroy(),
      (first, others) => first.on('close', () => others.map((res) => res.end('late'))),
    ],
  ])('are over once when it %s', async (_how, leave, answer) => {
    const answers: ServerResponse[] = []
    const closed: number[] = []
    const counted = countAnswers((req, res) => {
      // One that was read whole closes by itself once its client sends no more, before its connection does.
      req.resume()
      const at = answers.push(res) - 1
      res.on('close', () => closed.push(at))
    })
    const server = createServer(counted.listener)
    atEnd(() => server.close())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { socket } = await connectRaw(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3))
    await until(() => answers.length === 3)
    const [first, ...others] = answers
    if (first === undefined) throw new Error('there are three')
    answer(first, others)
    // Not by `once` of node:events, which the error of a reset would reject.
    const lost = new Promise((resolve) => first.socket?.once('close', resolve))
    leave(socket)
    await lost
    await until(() => closed.length >= 3)
    await counted.settle(60_000)
    expect([closed.length, new Set(closed).size]).toEqual([3, 3])
  })

  test('are over once when they are answered in their turn', async () => {
    let closed = 0
    const server = createServer(
      countAnswers((_req, res) => {
        res.on('close', () => closed++)
        setImmediate(() => res.end())
      }).listener,
    )
    atEnd(() => server.close())
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { socket } = await connectRaw(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(3))
    await until(() => closed === 3)
    socket.destroy()
    await new Promise<void>((resolve) => server.close(() => resolve()))
    expect(closed).toBe(3)
  })
})
