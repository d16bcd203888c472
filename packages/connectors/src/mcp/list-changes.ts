import type { Client } from '@modelcontextprotocol/client'

const NOTIFICATIONS = [
  'notifications/tools/list_changed',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
] as const

/** Hears of it when a server's lists change, in the way of its revision. */
export class ListChanges {
  readonly #client: Client
  /** A subscription is open, or is being opened, or will never be. */
  #isSettled = false

  /** @param onChange - told of each change; what has changed is for the next list to say */
  constructor(client: Client, onChange: () => void) {
    this.#client = client
    for (const method of NOTIFICATIONS) client.setNotificationHandler(method, () => onChange())
  }

  /**
   * Asks a server of the modern revision to tell; those before it tell by themselves. Does nothing while it is being told; once that
   * has ended it can be asked again.
   */
  async listen(): Promise<void> {
    if (this.#isSettled || this.#client.getProtocolEra() !== 'modern') return
    this.#isSettled = true
    const { tools, resources, prompts } = this.#client.getServerCapabilities() ?? {}
    const filter = {
      ...(tools?.listChanged === true ? { toolsListChanged: true } : {}),
      ...(resources?.listChanged === true ? { resourcesListChanged: true } : {}),
      ...(prompts?.listChanged === true ? { promptsListChanged: true } : {}),
    }
    if (Object.keys(filter).length === 0) return
    const subscription = await this.#client.listen(filter)
    void subscription.closed.then(() => {
      this.#isSettled = false
    })
  }
}
