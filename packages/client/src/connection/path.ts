import { HubError } from '@synchub/protocol'

/** Encodes a query with its question mark; members that are undefined are left out. */
export function encodeQuery(members: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(members)) if (value !== undefined) query.set(name, String(value))
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}

/**
 * Encodes an id as one segment of a path. `.` and `..` are refused, since every URL parser would fold them into the path before
 * it and another object would be asked for.
 * @throws HubError INVALID_PARAMS
 */
export function encodeSegment(name: string, id: string): string {
  if (id !== '' && id !== '.' && id !== '..') return encodeURIComponent(id)
  throw new HubError('INVALID_PARAMS', `${name} must not be "${id}"`, { path: name, expected: 'an id' })
}
