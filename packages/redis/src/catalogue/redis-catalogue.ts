import { type Catalogue, type CatalogueAgent, type CatalogueStore, EMPTY_CATALOGUE } from '@synchub/core'
import type { RedisLink } from '../connection/redis-link.js'
import { SCRIPTS } from '../connection/script.js'
import type { Subscriptions } from '../connection/subscriptions.js'

/** The catalogue over Redis: one JSON text, written by whoever holds the discovery lease. */
export function createCatalogueStore(link: RedisLink): CatalogueStore {
  const { keys } = link
  const read = async (): Promise<Catalogue> => {
    const text = await link.ask((client) => client.get(keys.catalogue))
    return text === null ? EMPTY_CATALOGUE : (JSON.parse(text) as Catalogue)
  }
  return {
    read,
    async write(agents: readonly CatalogueAgent[], knownVersion: number) {
      const version = knownVersion + 1
      // The step reads the version where it stands first.
      const catalogue: Catalogue = { version, agents }
      const args = [knownVersion, JSON.stringify(catalogue), keys.catalogueChannel, version]
      return (await link.run(SCRIPTS.writeCatalogue, [keys.catalogue], args)) === 1 ? version : null
    },
  }
}

/** The catalogue as this process knows it now, kept fresh. */
export interface CatalogueView {
  current(): Catalogue
  /** Told whenever another version is known here, until the returned function is called. */
  onChange(listener: () => void): () => void
  stop(): Promise<void>
}

/** How often the catalogue is read again, should a notice have been lost. */
const REFRESH_MS = 3000

/** Reads the catalogue, and again whenever it changes. @throws HubError HUB_UNAVAILABLE */
export async function watchCatalogue(
  link: RedisLink,
  subscriptions: Subscriptions,
  onFailure: (thrown: unknown) => void,
): Promise<CatalogueView> {
  const store = createCatalogueStore(link)
  const listeners = new Set<() => void>()
  let current = EMPTY_CATALOGUE
  let asked = 0
  let answered = 0
  const refresh = async () => {
    const turn = ++asked
    const catalogue = await store.read()
    // The last that was asked for counts, not the highest version: a catalogue that was lost begins again at 1.
    if (turn < answered) return
    answered = turn
    const isAnother = catalogue.version !== current.version
    current = catalogue
    if (isAnother) for (const tell of listeners) tell()
  }
  const refreshQuietly = () => void refresh().catch(onFailure)
  // Subscribed first: a change between reading and subscribing would be seen only at the next look.
  const unsubscribe = await subscriptions.add(link.keys.catalogueChannel, refreshQuietly)
  try {
    await refresh()
  } catch (thrown) {
    await unsubscribe()
    throw thrown
  }
  const timer = setInterval(refreshQuietly, REFRESH_MS)
  return {
    current: () => current,
    onChange(listener) {
      // Wrapped, so that each asker can leave by itself.
      const tell = () => listener()
      listeners.add(tell)
      return () => void listeners.delete(tell)
    },
    async stop() {
      clearInterval(timer)
      await unsubscribe()
    },
  }
}
