import { ListTree } from 'lucide-react'
import type { Page } from '../page.js'
import { TRACES_TEXTS } from './traces-texts.js'

/** The live list of traces. */
export const page: Page = {
  route: '/traces',
  texts: TRACES_TEXTS,
  navigation: { order: 1, icon: ListTree },
  load: () => import('./traces-page.js').then(({ TracesPage }) => ({ default: TracesPage })),
}
