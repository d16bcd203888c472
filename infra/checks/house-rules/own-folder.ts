import { posix } from 'node:path'
import type { HouseRule } from './source-file.js'

/** A relative import stays in its workspace, and what ships never imports what tests it. */
export const ownFolder: HouseRule = ({ path, workspace, area, imports }) =>
  imports
    .filter((name) => name.startsWith('.'))
    .flatMap((name) => {
      const target = posix.join(posix.dirname(path), name)
      if (!target.startsWith(`${workspace}/`)) {
        return [{ path, message: `${name} leaves ${workspace}: import the other workspace by its name, @synchub/...` }]
      }
      if (area === 'src' && !target.startsWith(`${workspace}/src/`)) {
        return [{ path, message: `${name} leaves the sources: what ships must not need tests or built files` }]
      }
      return []
    })
