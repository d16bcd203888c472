import type { Principal } from '@synchub/auth'
import type { CallRecord } from '@synchub/core'
import { NameUnknown } from '@synchub/protocol'
import type { HubContext } from '../../hub-context.js'
import type { CallTask } from '../tasks/call-task.js'
import { findTask } from '../tasks/find-task.js'

/**
 * Tells how a task stands, now and after each event of its call, until it is over. Several events at once are told as one: what
 * counts is how the task stands.
 * @returns how to stop
 */
export async function watchTask(
  { callId, trace }: CallRecord,
  principal: Principal,
  context: HubContext,
  tell: (task: CallTask) => void,
): Promise<() => void> {
  const { feeds, reader, logger } = context
  const fail = (thrown: unknown) => logger.warn({ err: thrown, callId }, 'a task is not watched any more; it goes on')
  let isReading = false
  let isStale = false
  const show = async (): Promise<void> => {
    isStale = true
    if (isReading) return
    isReading = true
    while (isStale) {
      isStale = false
      try {
        tell((await findTask(callId, principal, context)).task)
      } catch (thrown) {
        // Its time is over: there is nothing to tell of it any more.
        if (!(thrown instanceof NameUnknown)) fail(thrown)
      }
    }
    isReading = false
  }
  const head = await reader.head(trace)
  const watch = await feeds.watch({
    trace,
    after: head?.id ?? null,
    follow: true,
    sink: {
      deliver({ entries }) {
        if (entries.some((entry) => entry.callId === callId)) void show()
        return true
      },
      reset: () => void show(),
      end: () => void show(),
      fail,
    },
  })
  await show()
  return () => watch.close()
}
