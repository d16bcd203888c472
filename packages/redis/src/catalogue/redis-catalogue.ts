import { type Catalogue, type CatalogueAgent, type CatalogueStore, EMPTY_CATALOGUE } from '@synchub/core'
import type { RedisLink } from '../connection/redis-link.js'
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
    async write(agents: readonly CatalogueAgent[]) {
      const version = (await read()).version + 1
      const catalogue: Catalogue = { version, agents }
      await link.ask((client) => client.set(keys.catalogue, JSON.stringify(catalogue)))
      await link.ask((client) => client.publish(keys.catalogueChannel, String(version)))
      return version
    },
  }
}

/** The catalogue as this process knows it now, kept fresh. */
export interface CatalogueView {
  current(): Catalogue
  stop(): Promise<void>
}

/** How often the catalogue is read again, should a notice have been lost. */
const REFRESH_MS = 3000

/** Reads the catalogue, and again whenever it changes. */
export async function watchCatalogue(
  link: RedisLink,
  subscriptions: Subscriptions,
  onFailure: (thrown: unknown) => void,
): Promise<CatalogueView> {
  const store = createCatalogueStore(link)
  let current = await store.read()
  const refresh = () => {
    store.read().then((catalogue) => {
      if (catalogue.version >= current.version || catalogue.version === 0) current = catalogue
    }, onFailure)
  }
  const unsubscribe = await subscriptions.add(link.keys.catalogueChannel, refresh)
  const timer = setInterval(refresh, REFRESH_MS)
  return {
    current: () => current,
    async stop() {
      clearInterval(timer)
      await unsubscribe()
    },
  }
}
