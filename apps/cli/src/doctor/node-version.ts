import { type CheckFinding, failed, passed } from './check.js'

const NEEDED = [20, 19] as const

/** Whether this Node is new enough for SyncHub. */
export function checkNodeVersion(version: string = process.versions.node): CheckFinding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isEnough = major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])
  const detail = `Node ${version}`
  return isEnough ? passed('node', detail) : failed('node', detail, `Install Node ${NEEDED.join('.')} or later.`)
}
