import { type Era, HubError } from '@synchub/protocol'
import { createOfferedTools } from '../calls/offered-tools.js'
import type { HubContext } from '../hub-context.js'
import type { McpMethod } from './mcp-method.js'
import { completionComplete } from './methods/completion-complete.js'
import { discover } from './methods/discover.js'
import { initialize } from './methods/initialize.js'
import { loggingSetLevel } from './methods/logging-set-level.js'
import { ping } from './methods/ping.js'
import { promptsGet } from './methods/prompts-get.js'
import { promptsList } from './methods/prompts-list.js'
import { resourceTemplatesList } from './methods/resource-templates-list.js'
import { resourcesList } from './methods/resources-list.js'
import { resourcesRead } from './methods/resources-read.js'
import { resourcesSubscribe, resourcesUnsubscribe } from './methods/resources-subscribe.js'
import { subscriptionsListen } from './methods/subscriptions-listen.js'
import { tasksCancel } from './methods/tasks-cancel.js'
import { tasksGet } from './methods/tasks-get.js'
import { tasksList } from './methods/tasks-list.js'
import { tasksResult } from './methods/tasks-result.js'
import { tasksUpdate } from './methods/tasks-update.js'
import { toolsCall } from './methods/tools-call.js'
import { toolsList } from './methods/tools-list.js'

import type { SessionBook } from './session/session-book.js'

/** Finds the methods of an era. */
export type MethodTable = (era: Era, name: string) => McpMethod

/**
 * Every method of `/mcp`. A new one is a file in `methods/` and a line here.
 * @returns a table that throws HubError METHOD_NOT_FOUND for what an era does not have
 */
export function createMethodTable(context: HubContext, book: SessionBook): MethodTable {
  const offered = createOfferedTools(context.catalogue.current, context.config)
  const methods = [
    initialize(book),
    loggingSetLevel(book),
    resourcesSubscribe(book),
    resourcesUnsubscribe(book),
    discover(),
    ping(),
    toolsList(offered),
    toolsCall(context, offered),
    resourcesList(context),
    resourceTemplatesList(context),
    resourcesRead(context),
    promptsList(context),
    promptsGet(context),
    completionComplete(context),
    tasksGet(context),
    tasksUpdate(context),
    tasksCancel(context),
    tasksResult(context),
    tasksList(context),
    subscriptionsListen(context),
  ]
  const byEra = {
    legacy: new Map(methods.filter(({ eras }) => eras.includes('legacy')).map((method) => [method.name, method])),
    modern: new Map(methods.filter(({ eras }) => eras.includes('modern')).map((method) => [method.name, method])),
  }
  return (era, name) => {
    const method = byEra[era].get(name)
    if (method !== undefined) return method
    throw new HubError('METHOD_NOT_FOUND', `there is no method ${JSON.stringify(name)} in this revision`)
  }
}
