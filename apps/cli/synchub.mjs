#!/usr/bin/env node
// The command's bin. It stands in the tree, since npm links no bin whose file a build has yet to write.
import { existsSync } from 'node:fs'

const main = new URL('./dist/main.js', import.meta.url)
if (existsSync(main)) {
  await import(main.href)
} else {
  process.stderr.write(
    'synchub: the command is not built yet; run `npm run build` in the project folder, or `npm start`.\n',
  )
  process.exitCode = 1
}
