import { Boxes } from 'lucide-react'
import type { Page } from '../page.js'
import { AGENTS_TEXTS } from './agents-texts.js'

/** The agents: how they are, and how fast. */
export const page: Page = {
  route: '/agents',
  texts: AGENTS_TEXTS,
  navigation: { order: 2, icon: Boxes },
  load: () => import('./agents-page.js').then(({ AgentsPage }) => ({ default: AgentsPage })),
}
