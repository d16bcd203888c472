import type { Redis } from 'ioredis'
import type { RedisClient } from './redis-link.js'

type Command = Parameters<Redis['sendCommand']>[0]
type Target = Parameters<Redis['sendCommand']>[1]

/**
 * Has what was asked of a connection fail once that has ended. ioredis forgets the commands that were on their way when the connection
 * was lost for the last time, and whoever waits for one of them would wait for ever.
 */
export function failUnansweredAtEnd(client: RedisClient): void {
  const unanswered = new Set<Command>()
  const send = client.sendCommand.bind(client)
  client.sendCommand = (command: Command, target?: Target) => {
    const forget = () => unanswered.delete(command)
    unanswered.add(command)
    command.promise.then(forget, forget)
    return send(command, target)
  }
  client.on('end', () => {
    // In the words of ioredis, by which BullMQ knows that nothing is wrong but the connection.
    for (const command of unanswered) command.reject(new Error('Connection is closed.'))
  })
}
