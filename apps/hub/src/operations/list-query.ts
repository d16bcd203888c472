import type { Principal } from '@synchub/auth'

/** No owner has this name: who asks for what another has sees what a name without any shows. */
const NOBODY = ''

/** Whose items a list shows; undefined for all owners of the tenant. @param wanted - `?owner=` */
export function ownerOfList(wanted: string | undefined, { scopes, subject }: Principal): string | undefined {
  const readsTenant = scopes.includes('traces:read:tenant')
  const owner = wanted ?? (readsTenant ? undefined : subject)
  return owner === undefined || owner === subject || readsTenant ? owner : NOBODY
}

type Defined<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> }

/** The members that have a value. */
export function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as Defined<T>
}
