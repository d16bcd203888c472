import { randomUUID } from 'node:crypto'
import { openCatalogue } from '../src/catalogue/catalogue.js'
import { type GeneratedSchema, generateSchema } from '../src/generation/generation.js'
import type { DomainRequest } from '../src/schema/domain-request.js'

/** Generates schemas over one catalogue; each call has a callId of its own unless it is given one. */
export async function openGenerator(folder: string) {
  const catalogue = await openCatalogue(folder)
  return (request: DomainRequest, call: { callId?: string; signal?: AbortSignal } = {}) =>
    generateSchema(
      { request, callId: call.callId ?? randomUUID(), signal: call.signal ?? new AbortController().signal },
      catalogue,
    )
}

/** SQL of a schema as one text. */
export function sqlOf({ statements }: GeneratedSchema): string {
  return statements.join('\n\n')
}
