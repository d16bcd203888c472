import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { createBullBoard } from '@bull-board/api'
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter'
import { ExpressAdapter } from '@bull-board/express'
import express, { type Express } from 'express'
import { pageHeaders } from '../http/content-policy.js'
import type { HubContext } from '../hub-context.js'

const BOARD_FOLDER = dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json'))
/** How often the board asks anew, in seconds: each time for every queue. */
const POLL_SECONDS = 5

/**
 * bull-board over the queues of all agents. Jobs hold the id of their call and nothing of the call itself.
 * @param path - where it is mounted
 */
export function createBoardApp({ config, store }: HubContext, path: string): Express {
  const adapter = new ExpressAdapter().setBasePath(path)
  createBullBoard({
    queues: store.queue
      .shown([...config.agents.keys()].toSorted())
      .map((queue) => new BullMQAdapter(queue, { readOnlyMode: true, allowRetries: false })),
    serverAdapter: adapter,
    options: {
      uiBasePath: BOARD_FOLDER,
      uiConfig: {
        boardTitle: 'SyncHub',
        miscLinks: [{ text: 'SyncHub', url: '/ui/agents' }],
        hideDocsLink: true,
        hideRedisDetails: true,
        showWorkers: false,
        pollingInterval: { showSetting: false, forceInterval: POLL_SECONDS },
      },
    },
  })
  const app = express()
  app.disable('x-powered-by')
  app.use((_req, res, next) => {
    res.set(pageHeaders({ hasBase: true }))
    const render = res.render.bind(res)
    res.render = (view: string, values?: object) => {
      render(view, values ?? {}, (failed: Error | null, html: string) => {
        if (failed === null) res.send(withoutForeign(html))
        else next(failed)
      })
    }
    next()
  })
  app.use(adapter.getRouter())
  return app
}

/** The board's page asks another site for its fonts, and is styled inline until its script runs: the policy allows neither. */
function withoutForeign(html: string): string {
  return html
    .replace(/<link [^>]*href="https?:[^>]*>/g, '')
    .replace(/<style>.*?<\/style>/gs, '')
    .replace(/ style="[^"]*"/g, '')
}
