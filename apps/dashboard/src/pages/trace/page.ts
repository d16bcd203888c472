import type { Page } from '../page.js'
import { TRACE_TEXTS } from './trace-texts.js'

/** One trace: its tree on a time axis, its events, its replay. */
export const page: Page = {
  route: '/traces/:traceId',
  texts: TRACE_TEXTS,
  load: () => import('./trace-page.js').then(({ TracePage }) => ({ default: TracePage })),
}
