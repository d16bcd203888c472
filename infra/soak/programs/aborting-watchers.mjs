// Watchers that come and are gone again, in every way in which a client can go.
import { connect } from 'node:net'
import { answerQuestions } from '../../bench/load/answering.mjs'
import { requestStream } from '../watchers/stream-request.mjs'

const AT_ONCE = 50
/** Several watchers meet in one trace, and each trace is left by all of them again and again. */
const TRACES = 97

/** @param {string} url @param {number} at */
function comeAndGo(url, at) {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('close', () => resolve(undefined))
    socket.on('error', () => undefined)
    socket.on('connect', () => {
      const request = requestStream(url, `/traces/abort-${at % TRACES}/events?follow=1`)
      // Before the request is whole, right behind it, or once the answer has begun; with a goodbye (FIN) or without (RST).
      const whole = at % 3 !== 0
      socket.write(whole ? request : request.slice(0, -10))
      const go = () => void (at % 2 === 0 ? socket.resetAndDestroy() : socket.destroy())
      if (at % 3 === 2) socket.once('data', go)
      else setImmediate(go)
    })
  })
}

answerQuestions(async (/** @type {{ url: string, cycles: number }} */ { url, cycles }) => {
  let at = 0
  const loop = async () => {
    while (at < cycles) await comeAndGo(url, at++)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, loop))
  return {}
})
process.send?.({ ready: true })
