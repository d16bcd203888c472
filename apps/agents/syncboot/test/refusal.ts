import { ApprovalNeeded, InvalidDomain } from '../src/schema/refusal.js'

/** What a refused piece of work says; fails where it is not refused. */
export async function refusalOf(work: () => unknown): Promise<Record<string, string>> {
  try {
    await work()
  } catch (error) {
    if (error instanceof InvalidDomain) return { path: error.path, expected: error.expected, message: error.message }
    if (error instanceof ApprovalNeeded) return { reason: error.message, detail: error.detail }
    throw error
  }
  throw new Error('nothing was refused')
}
