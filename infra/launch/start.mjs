// `npm start`: plain JavaScript without dependencies, for it runs before anything is installed or compiled.
import { explainOldNode } from './node-version.mjs'

const complaint = explainOldNode(process.versions.node)
if (complaint === '') {
  // Imported only now: what follows is written for the Node that was just found.
  void import('./standalone.mjs').then((standalone) => standalone.launchStandalone(process.argv.slice(2)))
} else {
  console.error(complaint)
  process.exitCode = 1
}
