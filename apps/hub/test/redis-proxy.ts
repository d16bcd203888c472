import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { atEnd } from './cleanup.js'

/** The way from a process under test to Redis, which the test can cut or block. */
export interface RedisProxy {
  readonly url: string
  /** Cuts what is connected now: all of it, or the connections that subscribe alone. */
  cut(which: 'all' | 'subscribers'): void
  /** Redis is gone: connections are cut, and new ones refused. */
  goAway(): Promise<void>
  comeBack(): Promise<void>
  /** New connections go to this Redis; what is connected stays where it is. */
  leadTo(redisUrl: string): void
  /** Redis hangs: connections stay open, and nothing passes. What was sent arrives once it thaws. */
  freeze(): void
  thaw(): void
  /** Does `act` once something that holds `text` has been passed on to Redis, before its answer is. */
  oncePassed(text: string, act: () => void): void
}

interface Link {
  readonly near: Socket
  readonly far: Socket
  subscribes: boolean
}

/** Listens on a free port and passes everything on to Redis, until the end of the test. */
export async function startRedisProxy(redisUrl: string): Promise<RedisProxy> {
  let target = new URL(redisUrl)
  const links = new Set<Link>()
  let frozen = false
  let trap: { readonly text: string; act(): void } | undefined
  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ host: target.hostname, port: Number(target.port), noDelay: true })
    const link: Link = { near, far, subscribes: false }
    links.add(link)
    // Only looks; the pipes carry the bytes.
    near.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1')
      link.subscribes ||= /subscribe/i.test(text)
      if (trap === undefined || !text.includes(trap.text)) return
      // Once the pipe has taken this very chunk.
      process.nextTick(trap.act)
      trap = undefined
    })
    near.pipe(far)
    far.pipe(near)
    if (frozen) hold(link)
    for (const socket of [near, far]) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        links.delete(link)
        near.destroy()
        far.destroy()
      })
    }
  })
  const hold = ({ near, far }: Link) => {
    near.unpipe(far)
    far.unpipe(near)
    near.pause()
    far.pause()
  }
  const release = ({ near, far }: Link) => {
    near.pipe(far)
    far.pipe(near)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const cut = (which: 'all' | 'subscribers') => {
    for (const { near, subscribes } of links) if (which === 'all' || subscribes) near.destroy()
  }
  const goAway = async () => {
    if (!server.listening) return
    server.close()
    cut('all')
    await once(server, 'close')
  }
  atEnd(goAway)
  const url = new URL(redisUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    cut,
    goAway,
    async comeBack() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    leadTo(next) {
      target = new URL(next)
    },
    freeze() {
      frozen = true
      for (const link of links) hold(link)
    },
    oncePassed(text, act) {
      trap = { text, act }
    },
    thaw() {
      frozen = false
      for (const link of links) release(link)
    },
  }
}
