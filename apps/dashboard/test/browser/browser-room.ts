import { afterAll, afterEach, beforeAll } from '@jest/globals'
import type { JsonObject } from '@synchub/protocol'
import type { BrowserContext, BrowserContextOptions } from 'playwright-core'
import { startStepAgents } from '../place/agents.js'
import { type DashboardPlace, openDashboardPlace } from '../place/dashboard-place.js'
import { launchChromium } from './chromium.js'

/** What the tests of a file look at: a browser, and hubs that share the agents behind them. */
export interface BrowserRoom {
  /** Starts a hub with its page; ends with the room. */
  openPlace(access?: JsonObject): Promise<DashboardPlace>
  /** A browser of its own, of a desktop and in English where nothing else is wished for; ends with the test. */
  openContext(wish?: BrowserContextOptions): Promise<BrowserContext>
  /** To be called after each test. */
  endTest(): Promise<void>
  close(): Promise<void>
}

/** Opens a room. */
export async function openBrowserRoom(): Promise<BrowserRoom> {
  const agents = await startStepAgents()
  const browser = await launchChromium()
  const places: DashboardPlace[] = []
  const contexts: BrowserContext[] = []
  const endTest = async () => {
    for (const context of contexts.splice(0)) await context.close()
  }
  return {
    async openPlace(access) {
      const place = await openDashboardPlace({ agents: agents.agents, ...(access === undefined ? {} : { access }) })
      places.push(place)
      return place
    },
    async openContext(wish) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB', ...wish })
      contexts.push(context)
      return context
    },
    endTest,
    async close() {
      await endTest()
      await browser.close()
      for (const place of places) await place.stop()
      await agents.stop()
    },
  }
}

/**
 * Declares the hooks of tests that share a room with one place in it.
 * @param take - is given both before the first test
 */
export function shareRoom(take: (room: BrowserRoom, place: DashboardPlace) => void): void {
  let room: BrowserRoom | undefined
  beforeAll(async () => {
    room = await openBrowserRoom()
    take(room, await room.openPlace())
  }, 60_000)
  afterEach(() => room?.endTest())
  afterAll(() => room?.close())
}
