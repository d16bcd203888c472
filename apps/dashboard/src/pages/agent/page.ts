import type { Page } from '../page.js'
import { AGENT_TEXTS } from './agent-texts.js'

/** One agent: what it offers, and a form to try a tool. */
export const page: Page = {
  route: '/agents/:name',
  texts: AGENT_TEXTS,
  load: () => import('./agent-page.js').then(({ AgentPage }) => ({ default: AgentPage })),
}
