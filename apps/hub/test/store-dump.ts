import type { HubPlace } from './running-hub.js'

/** Every name and value that a place has in Redis, for looking at what must not be there. */
export async function dumpStore({ link, prefix }: HubPlace): Promise<string[]> {
  const { commands } = link
  const names = [...(await commands.keys(`${prefix}:*`)), ...(await commands.keys(`{${prefix}:*`))]
  const values = await Promise.all(names.map((name) => commands.type(name).then((type) => read(name, type))))
  return [...names, ...values]

  async function read(name: string, type: string): Promise<string> {
    if (type === 'hash') return JSON.stringify(await commands.hgetall(name))
    if (type === 'string') return String(await commands.get(name))
    if (type === 'stream') return JSON.stringify(await commands.xrange(name, '-', '+'))
    if (type === 'zset') return JSON.stringify(await commands.zrange(name, '-inf', '+inf', 'BYSCORE'))
    if (type === 'set') return JSON.stringify(await commands.smembers(name))
    return type === 'list' ? JSON.stringify(await commands.lrange(name, '0', '-1')) : ''
  }
}
