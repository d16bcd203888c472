import { expect } from '@jest/globals'
import { type ErrorCode, errorDefinition, type JsonRpcErrorObject, problemType } from '@synchub/protocol'
import type { RpcBody } from './hub-requests.js'

/** Expects an error object of the table: its code, the five members, layer and next step. */
export function expectErrorObject(error: JsonRpcErrorObject | undefined, title: ErrorCode): void {
  const { rpcCode, name, status, layer } = errorDefinition(title)
  expect(error).toMatchObject({ code: rpcCode, data: { type: problemType(title), title, status, layer } })
  expect(error?.message.startsWith(`${name}: `)).toBe(true)
  for (const member of [error?.data.detail, error?.data.instance, error?.data.nextStep]) {
    expect(typeof member).toBe('string')
    expect(member).not.toBe('')
  }
}

/** Expects an answer to be a failure of the table, in the form that every HTTP status has here. */
export function expectProblem(
  answer: { readonly status: number; readonly body: RpcBody },
  title: ErrorCode,
  id: unknown = null,
): void {
  expect(answer.status).toBe(errorDefinition(title).status)
  expect(Object.keys(answer.body).toSorted()).toEqual(['error', 'id', 'jsonrpc'])
  expect(answer.body).toMatchObject({ jsonrpc: '2.0', id })
  expectErrorObject(answer.body.error, title)
}
