import { randomBytes } from 'node:crypto'

/** Makes the id of an approval ticket: nobody can guess it (contract S0.5). */
export function createTicketId(): string {
  return `ticket-hitl-${randomBytes(16).toString('base64url')}`
}
