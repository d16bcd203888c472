import { createHash } from 'node:crypto'
import { IN_FLIGHT } from '../load/echo-loop.mjs'
import { medianOf, takeTurns } from '../load/rounds.mjs'
import { startEchoPair } from '../programs/echo-pair.mjs'
import { ratioAtLeast, ratioAtMost, STATED } from '../report/goal.mjs'

const MODERN = '2026-07-28'
const ACCEPT = 'application/json, text/event-stream'

/**
 * One request, with its headers, and what stands in every good answer to it.
 *
 * @typedef {object} Question
 * @property {Record<string, string>} headers
 * @property {string} body
 * @property {string} good
 */

/**
 * @param {string} method
 * @param {Record<string, unknown>} params
 * @param {string} good
 * @returns {Question}
 */
function modern(method, params, good) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  }
  return {
    headers: {
      Accept: ACCEPT,
      'MCP-Protocol-Version': MODERN,
      'Mcp-Method': method,
      ...(typeof params.name === 'string' ? { 'Mcp-Name': params.name } : {}),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: meta } }),
    good,
  }
}

const QUESTIONS = {
  legacy: {
    headers: { Accept: ACCEPT, 'MCP-Protocol-Version': '2025-11-25' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'bench_echo', arguments: { text: 'hello' } },
    }),
    good: 'echo',
  },
  modern: modern('tools/call', { name: 'bench_echo', arguments: { text: 'hello' } }, 'echo'),
  list: modern('tools/list', {}, 'bench_echo'),
  unknown: modern('tools/call', { name: 'no_such_tool', arguments: {} }, '-32602'),
}

/** A key that may call another tool only: its calls are refused before there is anything to record. */
const KEY = 'a-key-of-the-bench'
const ACCESS = {
  mode: 'keys',
  keys: [
    {
      name: 'bench',
      sha256: createHash('sha256').update(KEY).digest('hex'),
      tenant: 'bench',
      agent: 'Bench',
      scopes: ['tools:call:another_tool'],
    },
  ],
}
const FORBIDDEN = {
  ...QUESTIONS.modern,
  headers: { ...QUESTIONS.modern.headers, Authorization: `Bearer ${KEY}` },
  good: 'FORBIDDEN',
}

/**
 * The same server, asked over MCP: a short call in each era, the list of tools, and calls that are refused, without a record and with one.
 *
 * @type {import('./list.mjs').Row}
 */
export const mcpCall = {
  id: 'i',
  title: 'short call over MCP, legacy era; peer: official MCP SDK server',
  async measure({ short, room }) {
    const open = await startEchoPair(room)
    const durationMs = short ? 200 : 1500
    /** @param {string} url @param {Question} question */
    const loop = (url, question) => () => {
      const asked = open.load.ask({ url, ...question, connections: IN_FLIGHT, durationMs })
      return /** @type {Promise<import('../load/closed-loop.mjs').LoopResult>} */ (asked)
    }
    /** @param {Question} question @param {Question} [peerQuestion] @param {{ hubUrl: string, sdkUrl: string }} [pair] */
    const compare = async (question, peerQuestion = question, { hubUrl, sdkUrl } = open) => {
      const ours = loop(`${hubUrl}/mcp`, question)
      const peer = loop(sdkUrl, peerQuestion)
      // Until both are compiled, which takes some ten thousand requests.
      await takeTurns({ rounds: short ? 1 : 4, ours, peer })
      const turns = await takeTurns({ rounds: short ? 1 : 5, ours, peer })
      return {
        rate: {
          ours: medianOf(turns.ours, ({ perSecond }) => perSecond),
          peer: medianOf(turns.peer, ({ perSecond }) => perSecond),
          unit: 'requests/s',
        },
        p99: {
          ours: medianOf(turns.ours, ({ p99Ms }) => p99Ms),
          peer: medianOf(turns.peer, ({ p99Ms }) => p99Ms),
          unit: 'ms',
          goal: ratioAtMost(1),
        },
      }
    }
    const legacyCall = await compare(QUESTIONS.legacy)
    const modernCall = await compare(QUESTIONS.modern)
    const list = await compare(QUESTIONS.list)
    const recorded = await compare(QUESTIONS.unknown)
    // The peer knows no access, so its refusal is that of a tool that it does not have.
    const refused = await compare(FORBIDDEN, QUESTIONS.unknown, await startEchoPair(room, ACCESS, 'guarded'))
    return {
      figures: [
        { ...legacyCall.rate, goal: ratioAtLeast(3) },
        { ...legacyCall.p99, name: 'p99', title: 'its p99' },
        { ...modernCall.rate, name: 'modern', title: 'short call over MCP, modern era', goal: ratioAtLeast(3) },
        { ...modernCall.p99, name: 'modern p99', title: 'its p99' },
        { ...list.rate, name: 'list', title: 'list of tools over MCP', goal: ratioAtLeast(5) },
        { ...refused.rate, name: 'refused', title: 'call refused for want of access, over MCP', goal: ratioAtLeast(5) },
        { ...refused.p99, name: 'refused p99', title: 'its p99' },
        { ...recorded.rate, name: 'refused recorded', title: 'call of an unknown tool, recorded', goal: STATED },
      ],
    }
  },
}
