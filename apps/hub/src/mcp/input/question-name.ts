import type { CallRecord, Question } from '@synchub/core'

/** Which request of which question of a call is meant. */
export interface NamedQuestion {
  readonly callId: string
  readonly askedAtMs: number
  readonly name: string
}

/** The request id under which a client is asked: it says what the answer belongs to, so that any hub can take it. */
export function nameQuestion({ callId }: CallRecord, { askedAtMs }: Question, name: string): string {
  return `${callId}.${askedAtMs}.${name}`
}

/** Reads what {@link nameQuestion} wrote; undefined for an id that the hub has not made. */
export function readQuestionName(id: unknown): NamedQuestion | undefined {
  const [, callId, askedAt, name] = /^([0-9a-f-]{36})\.(\d+)\.(.+)$/s.exec(String(id)) ?? []
  if (callId === undefined || askedAt === undefined || name === undefined) return undefined
  return { callId, askedAtMs: Number(askedAt), name }
}
