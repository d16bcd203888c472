import { HubError, isJsonObject, type JsonObject } from '@synchub/protocol'

/** Lists whose changes can be listened to, by the member that asks for it. */
export const LIST_KINDS = ['toolsListChanged', 'promptsListChanged', 'resourcesListChanged'] as const

/** A list whose changes can be listened to. */
export type ListKind = (typeof LIST_KINDS)[number]

/** What a client wants to be told of. */
export interface ListenWish {
  readonly lists: readonly ListKind[]
  readonly taskIds: readonly string[]
  readonly resourceUris: readonly string[]
}

/**
 * Reads the filter of `subscriptions/listen`. Kinds that do not exist here are left out, as the acknowledgement shows.
 * @throws HubError INVALID_PARAMS
 */
export function readListenWish(filter: unknown): ListenWish {
  const wanted: JsonObject = isJsonObject(filter) ? filter : {}
  return {
    lists: LIST_KINDS.filter((kind) => wanted[kind] === true),
    taskIds: readTexts('taskIds', wanted.taskIds),
    resourceUris: readTexts('resourceSubscriptions', wanted.resourceSubscriptions),
  }
}

function readTexts(name: string, value: unknown = []): readonly string[] {
  if (Array.isArray(value) && value.every((text): text is string => typeof text === 'string'))
    return [...new Set(value)]
  const place = { path: `notifications.${name}`, expected: 'a list of strings' }
  throw new HubError('INVALID_PARAMS', `${place.path} must be ${place.expected}`, place)
}
