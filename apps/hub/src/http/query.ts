import { HubError } from '@synchub/protocol'

/** The parameters of a request's URL. */
export function queryOf(url: string | undefined): URLSearchParams {
  return new URL(url ?? '', 'http://hub').searchParams
}

/** A parameter that is 1 or 0; absent is false. @throws HubError INVALID_PARAMS */
export function readFlag(params: URLSearchParams, name: string): boolean {
  const value = params.get(name)
  if (value === null || value === '0' || value === 'false') return false
  if (value === '1' || value === 'true') return true
  throw badParameter(name, '1 or 0')
}

/** A whole number within bounds. @throws HubError INVALID_PARAMS */
export function readCount(
  params: URLSearchParams,
  name: string,
  bounds: { readonly max: number; readonly fallback: number },
): number {
  const text = params.get(name)
  if (text === null) return bounds.fallback
  const count = Number(text)
  if (Number.isInteger(count) && count >= 1 && count <= bounds.max) return count
  throw badParameter(name, `a whole number from 1 to ${bounds.max}`)
}

/** An instant in ISO 8601, as ms. @throws HubError INVALID_PARAMS */
export function readInstant(params: URLSearchParams, name: string): number | undefined {
  const text = params.get(name)
  if (text === null) return undefined
  const atMs = Date.parse(text)
  if (/^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(atMs)) return atMs
  throw badParameter(name, 'an instant in ISO 8601, such as 2026-09-15T08:30:00Z')
}

/** The refusal of a parameter. */
export function badParameter(path: string, expected: string): HubError {
  return new HubError('INVALID_PARAMS', `${path} must be ${expected}`, { path, expected })
}
