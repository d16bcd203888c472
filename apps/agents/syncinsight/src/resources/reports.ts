import { type AgentResource, defineResource, type PageRequest, ToolError } from '@synchub/agent-sdk'
import {
  compareNewestFirst,
  REPORT_ID,
  REPORT_URI,
  type ReportStore,
  type StoredReport,
} from '../report/report-store.js'

/** The reports as resources, newest first. Their text comes from the sources of a research: it is material, not instruction. */
export function reportResource(reports: ReportStore): AgentResource {
  return defineResource({
    uri: REPORT_URI,
    name: 'Research reports',
    description: 'A report that syncinsight_deep_research wrote, with its citations.',
    mimeType: 'text/markdown',
    list: async (page) => listReports(reports, page),
    complete: {
      reportId: async (typed) =>
        (await reports.list()).map(({ reportId }) => reportId).filter((reportId) => reportId.startsWith(typed)),
    },
    read: async ({ reportId }) => reports.read(reportId),
  })
}

async function listReports(reports: ReportStore, { cursor, limit }: PageRequest) {
  const after = cursor === undefined ? undefined : decodeCursor(cursor)
  const left = (await reports.list()).filter((report) => after === undefined || compareNewestFirst(after, report) < 0)
  const page = left.slice(0, limit)
  const last = page.at(-1)
  return {
    entries: page.map(({ reportId, writtenAtMs, sizeBytes }) => ({
      variables: { reportId },
      name: reportId,
      title: `Report of ${new Date(writtenAtMs).toISOString().slice(0, 16).replace('T', ' ')}`,
      modifiedAt: new Date(writtenAtMs),
      sizeBytes,
    })),
    ...(left.length > limit && last !== undefined ? { nextCursor: `${last.writtenAtMs}:${last.reportId}` } : {}),
  }
}

/** A cursor names the last report of its page, not a number of reports: what is written meanwhile shifts nothing. */
function decodeCursor(cursor: string): Pick<StoredReport, 'reportId' | 'writtenAtMs'> {
  const [instant = '', reportId = ''] = cursor.split(':')
  if (/^\d+(?:\.\d+)?$/.test(instant) && REPORT_ID.test(reportId)) return { writtenAtMs: Number(instant), reportId }
  const expected = 'the nextCursor of an earlier page'
  throw new ToolError('INVALID_PARAMS', `cursor must be ${expected}`, { path: 'cursor', expected })
}
