import { existsSync } from 'node:fs'
import type { RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { HubError } from '@synchub/protocol'
import express from 'express'
import sirv from 'sirv'
import { pageHeaders } from '../http/content-policy.js'
import { sendError } from '../http/respond.js'

/** Where the pages are; everything else is the hub's own interface. */
export const DASHBOARD_PATH = '/ui'

const PAGE_HEADERS = Object.entries(pageHeaders())
const YEAR_SECONDS = 31_536_000

/**
 * Serves the built pages, compressed beforehand. They hold nothing secret, so they come before authentication: signing in is one
 * of them. Any path that is no file is the page itself, which knows its own routes.
 * @param folder - what the build of apps/dashboard made; looked at once
 */
export function createDashboardFiles(folder: string): RequestListener {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.get('/', (_req, res) => res.redirect(307, `${DASHBOARD_PATH}/`))
  if (existsSync(join(folder, 'index.html'))) {
    const files = sirv(folder, {
      single: true,
      ignores: [/^\/assets\//],
      brotli: true,
      gzip: true,
      etag: true,
      setHeaders: writeHeaders,
    })
    app.use(DASHBOARD_PATH, files)
  }
  app.use((req, res) => {
    const error = new HubError('NOT_FOUND', 'this page is not there', {
      nextStep: 'Build the dashboard with "npm run build", or start the hub with "npm start", which does.',
    })
    sendError(res, error, req.path)
  })
  return app
}

/** Files with a digest in their name never change; the page that names them is asked for each time. */
function writeHeaders(res: ServerResponse, path: string): void {
  const isHashed = path.startsWith('/assets/')
  res.setHeader('Cache-Control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache')
  for (const [name, value] of PAGE_HEADERS) res.setHeader(name, value)
}
