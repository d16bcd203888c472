import { MailX } from 'lucide-react'
import type { Page } from '../page.js'
import { DEAD_LETTER_TEXTS } from './dead-letters-texts.js'

/** Work of which nobody knows how it ended: kept for people to look at. */
export const page: Page = {
  route: '/dead-letters',
  texts: DEAD_LETTER_TEXTS,
  navigation: { order: 3, icon: MailX },
  load: () => import('./dead-letters-page.js').then(({ DeadLettersPage }) => ({ default: DeadLettersPage })),
}
