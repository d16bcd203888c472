import { hub } from '../hub/hub-client.js'
import { LiveEngine } from './live-engine.js'

const engine = new LiveEngine(hub)

globalThis.addEventListener('connect', (event) => {
  const [port] = (event as MessageEvent).ports
  if (port !== undefined) engine.attach(port)
})
